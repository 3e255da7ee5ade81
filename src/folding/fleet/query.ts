/*
 * Queries for clients, as typed into the Find field and kept in the address: words, and terms `key:value`. Any text is a
 * query. A term has alternatives, `state:paused,waiting` or `state:paused|waiting`, a minus sign excludes, and double
 * quotes hold what has spaces.
 */
import { t } from '@lingui/core/macro'
import type { ClientFacts } from './client-facts.ts'
import { QUERY_TOKENS, type FactsTest, type QueryToken } from './query-tokens.ts'
import { haystackOf } from './query-values.ts'
import { isSameInAnyCase } from '../shared/equal.ts'

/** A word has no key and one value. */
export type QueryTerm = {
  readonly key: string | undefined
  readonly values: readonly string[]
  readonly isNegated: boolean
}

/** A term and where it is in the text: `text.slice(start, end)`. */
export type PlacedTerm = QueryTerm & { readonly start: number; readonly end: number }

/** Why a term is treated as a word. */
export type QueryFault = {
  readonly kind: 'unknownKey' | 'badValue'
  readonly term: PlacedTerm
  readonly key: string
  readonly value: string
}

export type CompiledQuery = {
  readonly terms: readonly PlacedTerm[]
  readonly faults: readonly QueryFault[]
  /** Whether a client matches every term. `now`: epoch milliseconds. */
  readonly matches: (facts: ClientFacts, now: number) => boolean
}

/** Characters of a query that are read, also from an address. */
export const LONGEST_QUERY = 500

const KEY = /[a-z]+:/iy
const SPACE = /\s/

/** The terms of a text, in order. */
export function parseQuery(text: string): readonly PlacedTerm[] {
  const end = Math.min(text.length, LONGEST_QUERY)
  const terms: PlacedTerm[] = []
  let at = 0
  const isSpace = (): boolean => SPACE.test(text.charAt(at))
  while (at < end) {
    if (isSpace()) {
      at += 1
      continue
    }
    const start = at
    const isNegated = text.charAt(at) === '-' && at + 1 < end && !SPACE.test(text.charAt(at + 1))
    if (isNegated) at += 1
    KEY.lastIndex = at
    const [named] = KEY.exec(text) ?? []
    const key = named === undefined || at + named.length > end ? undefined : named.slice(0, -1).toLowerCase()
    if (key !== undefined) at += key.length + 1
    const values = ['']
    const add = (characters: string): void => void values.push(`${values.pop() ?? ''}${characters}`)
    for (; at < end && !isSpace(); at += 1) {
      const character = text.charAt(at)
      if (character === '"') {
        const [content, after] = readQuoted(text, at + 1, end)
        add(content)
        at = after
      } else if (key !== undefined && (character === ',' || character === '|')) values.push('')
      else add(character)
    }
    at = Math.min(at, end)
    terms.push({ key, values, isNegated, start, end: at })
  }
  return terms
}

/** The text of terms, which `parseQuery` reads as the same terms. */
export function printQuery(terms: readonly QueryTerm[]): string {
  return terms.map(printTerm).join(' ')
}

export function printTerm({ key, values, isNegated }: QueryTerm): string {
  return `${isNegated ? '-' : ''}${key === undefined ? printWord(values[0] ?? '') : `${key}:${values.map(printValue).join(',')}`}`
}

const queries = new Map<string, CompiledQuery>()

/** A query that can be evaluated. Never throws. The same object for the last few texts. */
export function compileQuery(text: string): CompiledQuery {
  const cached = queries.get(text)
  if (cached !== undefined) return cached
  if (queries.size > 50) queries.clear()
  const compiled = compile(text)
  queries.set(text, compiled)
  return compiled
}

/** Whether every client that matches `query` matches `before` too: terms were added, or words became longer. */
export function isNarrower(query: CompiledQuery, before: CompiledQuery): boolean {
  return before.terms.every((term, index) => {
    const now = query.terms[index]
    return now !== undefined && (printTerm(now) === printTerm(term) || isLongerWord(now, term))
  })
}

function isLongerWord(now: QueryTerm, before: QueryTerm): boolean {
  return (
    now.key === undefined &&
    before.key === undefined &&
    !now.isNegated &&
    !before.isNegated &&
    (now.values[0] ?? '').includes(before.values[0] ?? '')
  )
}

/** What is wrong with a term, in one sentence. */
export function queryFaultText({ kind, key, value }: QueryFault): string {
  if (kind === 'unknownKey') return t`“${key}:” cannot be searched for, so it is read as text.`
  const example = QUERY_TOKENS.get(key)?.example ?? ''
  return t`“${value}” is no value of “${key}:”, so it is read as text. An example: ${example}`
}

/** Whether the query has this alternative in a term that is not negated. */
export function hasValue(text: string, key: string, value: string): boolean {
  return parseQuery(text).some(term => isTerm(term, key) && term.values.some(other => isSameInAnyCase(other, value)))
}

/** The query with the alternative added to the first term of this key, or removed where it is. */
export function withToggledValue(text: string, key: string, value: string): string {
  const terms = parseQuery(text)
  if (hasValue(text, key, value))
    return printQuery(
      terms.flatMap((term): readonly QueryTerm[] => {
        if (!isTerm(term, key)) return [term]
        const values = term.values.filter(other => !isSameInAnyCase(other, value))
        return values.length === 0 ? [] : [{ ...term, values }]
      }),
    )
  const first = terms.find(term => isTerm(term, key))
  const added: QueryTerm = { key, values: [...(first?.values ?? []), value], isNegated: false }
  return printQuery(first === undefined ? [...terms, added] : terms.map(term => (term === first ? added : term)))
}

export function withoutTerm(text: string, removed: PlacedTerm): string {
  return printQuery(parseQuery(text).filter(({ start }) => start !== removed.start))
}

function isTerm(term: QueryTerm, key: string): boolean {
  return term.key === key && !term.isNegated
}

/** What is in quotes, and the position of the closing quote, or of the end of the text. */
function readQuoted(text: string, start: number, end: number): readonly [content: string, after: number] {
  let content = ''
  let at = start
  for (; at < end && text.charAt(at) !== '"'; at += 1) {
    if (text.charAt(at) === '\\' && at + 1 < end) at += 1
    content += text.charAt(at)
  }
  return [content, at]
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

function printValue(value: string): string {
  return /[\s",|]/.test(value) ? quoted(value) : value
}

function printWord(word: string): string {
  return word === '' || word.startsWith('-') || /[\s"]|^[a-z]+:/i.test(word) ? quoted(word) : word
}

function compile(text: string): CompiledQuery {
  const terms = parseQuery(text)
  const faults: QueryFault[] = []
  const tests = terms.flatMap((term): readonly FactsTest[] => {
    // A value without its end is one that is being typed.
    const values = term.values.filter(value => value !== '' && (term.key === undefined || !/^[<>=]+$/.test(value)))
    if (values.length === 0) return []
    const alternatives =
      term.key === undefined ? values.map(wordTest) : valueTests(term, term.key, values, text, faults)
    const { isNegated } = term
    return [(facts, now) => alternatives.some(test => test(facts, now)) !== isNegated]
  })
  return { terms, faults, matches: (facts, now) => tests.every(test => test(facts, now)) }
}

function valueTests(
  term: PlacedTerm,
  key: string,
  values: readonly string[],
  text: string,
  faults: QueryFault[],
): readonly FactsTest[] {
  const token: QueryToken | undefined = QUERY_TOKENS.get(key)
  const tests = values.map(value => token?.compile(value))
  const bad = tests.findIndex(test => test === undefined)
  if (bad < 0) return tests.filter(test => test !== undefined)
  faults.push({ kind: token === undefined ? 'unknownKey' : 'badValue', term, key, value: values[bad] ?? '' })
  return [wordTest(text.slice(term.start + (term.isNegated ? 1 : 0), term.end))]
}

function wordTest(word: string): FactsTest {
  const wanted = word.toLowerCase()
  return facts => haystackOf(facts).includes(wanted)
}
