/*
 * Replaces known values in texts, in all usual encodings.
 */

type Encoding = (text: string) => string

const percent: Encoding = text => encodeURIComponent(text)
const form: Encoding = text => new URLSearchParams({ '': text }).toString().slice(1)
function lowerHex(encoding: Encoding): Encoding {
  return text => encoding(text).replaceAll(/%(?:25)?[\dA-F]{2}/g, escape => escape.toLowerCase())
}
const json: Encoding = text => JSON.stringify(text).slice(1, -1)
const jsonInAscii: Encoding = text =>
  json(text).replaceAll(/[^ -~]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
function html(apostrophe: string): Encoding {
  return text =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", apostrophe)
}
const base64: Encoding = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
const unpadded: Encoding = text => base64(text).replace(/=+$/, '')
const base64Url: Encoding = text => unpadded(text).replaceAll('+', '-').replaceAll('/', '_')

/** Encodings of a value inside another text: URLs, JSON, HTML and headers, some of them nested. */
const ENCODINGS: readonly Encoding[] = [
  text => text,
  text => text.toLowerCase(),
  text => text.toUpperCase(),
  percent,
  lowerHex(percent),
  text => percent(percent(text)),
  lowerHex(text => percent(percent(text))),
  form,
  lowerHex(form),
  text => percent(form(text)),
  text => text.replaceAll('%', '%25').replaceAll('/', '%2F'),
  json,
  text => json(json(text)),
  jsonInAscii,
  text => json(jsonInAscii(text)),
  html('&#39;'),
  html('&#x27;'),
  html('&apos;'),
  text => html('&#39;')(json(text)),
]

/** Shorter values would match unrelated text too often. */
const SHORTEST_IN_BASE64 = 4
const IN_BASE64: readonly Encoding[] = [base64, unpadded, base64Url]

/** Longer values are not names, and each would be searched in twenty encodings. */
const LONGEST = 2000

/** Values that begin with the same word, with their lengths in descending order. */
type Bucket = { readonly lengths: number[]; readonly values: Map<string, string> }

const WORD = /[\p{L}\p{N}_]+/uy
const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

export type Replacement = readonly [value: string, other: string]

/**
 * A function that replaces values in a text where they are whole words, in every usual encoding; the replacement gets
 * the same encoding. The time grows with the text's length and with the number of lengths among values with the same
 * first word.
 */
export function createReplacer(replacements: Iterable<Replacement>): (text: string) => string {
  const buckets = new Map<string, Bucket>()

  const add = (written: string, other: string): void => {
    if (written === '') return
    const first = wordAt(written, 0) || written.charAt(0)
    const bucket = buckets.get(first) ?? { lengths: [], values: new Map<string, string>() }
    buckets.set(first, bucket)
    if (bucket.values.has(written)) return
    bucket.values.set(written, other)
    if (bucket.lengths.includes(written.length)) return
    bucket.lengths.push(written.length)
    bucket.lengths.sort((a, b) => b - a)
  }

  for (const [value, other] of replacements) {
    if (value.length > LONGEST) continue
    const encodings = value.length < SHORTEST_IN_BASE64 ? ENCODINGS : [...ENCODINGS, ...IN_BASE64]
    for (const encode of encodings) add(encode(wellFormed(value)), encode(other))
    add(value, other)
  }

  const find = (text: string, at: number, word: string): readonly [length: number, other: string] | undefined => {
    const bucket = buckets.get(word)
    for (const length of bucket?.lengths ?? []) {
      const written = text.slice(at, at + length)
      const other = bucket?.values.get(written)
      if (other !== undefined && (isBoundary(text, at + length) || !ENDS_IN_WORD.test(written))) return [length, other]
    }
    return undefined
  }

  return text => {
    if (buckets.size === 0) return text
    let result = ''
    let done = 0
    let at = 0
    while (at < text.length) {
      const word = wordAt(text, at)
      const end = at + Math.max(1, word.length)
      let next = end
      for (const start of word === '' ? [at] : startsIn(text, at, word)) {
        const hit = find(text, start, text.slice(start, end))
        if (hit === undefined) continue
        result += text.slice(done, start) + hit[1]
        done = next = start + hit[0]
        break
      }
      at = next
    }
    return result + text.slice(done)
  }
}

/** Lone surrogates become U+FFFD, as URLs and files encode them. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

function wordAt(text: string, at: number): string {
  WORD.lastIndex = at
  return WORD.exec(text)?.[0] ?? ''
}

function isBoundary(text: string, at: number): boolean {
  return at >= text.length || !WORD_CHARACTER.test(String.fromCodePoint(text.codePointAt(at) ?? 0))
}

/** Where a value may begin in a word: also after the letters of an escape, as in '%2FAda', '\nAda', 'ESC[93mAda'. */
function startsIn(text: string, at: number, word: string): readonly number[] {
  const before = text.charAt(at - 1)
  const escape =
    before === '%'
      ? /^(?:25)?[\da-f]{2}/i.exec(word)
      : before === '\\'
        ? /^(?:u[\da-f]{4}|[bfnrt])/i.exec(word)
        : before === '[' || before === ';'
          ? /^\d*m/.exec(word)
          : null
  if (escape === null) return [at]
  const starts = [at, at + escape[0].length]
  // '%252F' may be an escape in an escape, or '%25' before a name that begins with these letters.
  if (before === '%') starts.push(at + 2)
  return [...new Set(starts)].filter(start => start < at + word.length)
}
