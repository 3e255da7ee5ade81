import * as v from 'valibot'
import { LOCALES } from '../../../src/folding/text/locales.ts'

/* Kinds of values that settings of several sections have, with the words of their mistakes. */

export function wholeNumberBetween(least: number, most: number) {
  return v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
}

export function word(most = 200) {
  return v.pipe(
    v.string('must be text in quotes'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
    v.regex(/^\P{Cc}*$/u, 'must be one line'),
  )
}

/** A topic of MQTT. */
export const plainTopic = v.pipe(word(1000), v.regex(/^[^#+]+$/u, 'must be one topic, without # and +'))

/** Where a value is in JSON. */
export const jsonPath = v.pipe(word(), v.regex(/^[^.]+(?:\.[^.]+)*$/u, 'must be keys with dots between them'))

/** A name that other settings, metrics and records refer to. */
export const name = v.pipe(
  v.string('must be text in quotes'),
  v.regex(/^[\w.@-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, dashes, underscores or @'),
)

export function listOf<Item extends v.GenericSchema>(item: Item, most: number) {
  return v.pipe(v.array(item, 'must be a list in brackets'), v.maxLength(most, `must have at most ${most} entries`))
}

export const secret = v.optional(word(500))

export function flag(value: boolean) {
  return v.optional(v.boolean('must be true or false'), value)
}

/** An address that the server calls: it comes from the settings only, never from a request. */
export const webAddress = v.pipe(
  v.string('must be text in quotes'),
  v.maxLength(1000, 'must have at most 1000 characters'),
  v.check(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  }, 'must be an address such as "https://example.org/path", without a user name'),
)

const LANGUAGES = LOCALES.map(({ code }) => code)

/** The language of texts that the server sends. */
export const language = v.optional(v.picklist(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`))
