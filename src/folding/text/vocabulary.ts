/*
 * How texts that clients choose are bounded: once, before they become ids, names, keys and labels of what is stored, sent
 * and counted. Databases, metrics and the schemas of pages rely on it.
 */

/** The longest id or name, in characters. A database's index takes three of them. */
export const LONGEST_NAME = 200
/** The longest key of a client and a unit, with what stands between them. */
export const LONGEST_KEY = 500

const HASH_CHARACTERS = 16

/** A text that is shown only: well-formed Unicode without NUL, and cut. */
export function boundedText(text: string, most = LONGEST_NAME): string {
  const start = text.length > 2 * most ? text.slice(0, 2 * most) : text
  return wellFormed(start).slice(0, most).replace(HALF_AT_END, '')
}

/** A text that identifies something: as it is, or where that is not possible, a part of it and a hash of all of it. */
export function boundedKey(text: string, most = LONGEST_NAME): string {
  if (text.length <= most && wellFormed(text) === text) return text
  return `${boundedText(text, most - HASH_CHARACTERS - 1)}#${shortHash(text)}`
}

/** What stands between the parts of keys of clients and units. */
const SEPARATORS = /[\s~]+/g

/** The id of a client or a unit: as `boundedKey`, without what stands between parts of keys. */
export function boundedId(id: string): string {
  const plain = id.replace(SEPARATORS, '-')
  return plain === id ? boundedKey(id) : `${boundedText(plain, LONGEST_NAME - HASH_CHARACTERS - 1)}#${shortHash(id)}`
}

const NUL = /\0/g
const LONE_SURROGATE = /\p{Surrogate}/gu
const HALF_AT_END = /[\ud800-\udbff]$/

function wellFormed(text: string): string {
  return text.replace(NUL, '').replace(LONE_SURROGATE, '\ufffd')
}

/** FNV-1a of 32 bits, from both ends; not a cryptographic hash. */
export function shortHash(text: string): string {
  let forward = 0x811c9dc5
  let backward = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    forward = Math.imul(forward ^ text.charCodeAt(at), 0x01000193)
    backward = Math.imul(backward ^ text.charCodeAt(text.length - 1 - at), 0x01000193)
  }
  return [forward, backward].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
