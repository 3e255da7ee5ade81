import type { Bytes } from './bytes.ts'

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const INVALID = 255
const VALUES = new Uint8Array(128).fill(INVALID)
for (const alphabet of [STANDARD, URL_SAFE]) {
  for (let value = 0; value < 64; value++) VALUES[alphabet.charCodeAt(value)] = value
}

/** Decodes base64 of either alphabet, padded or not; `undefined` if invalid. */
export function decodeBase64(text: string): Bytes | undefined {
  const length = lengthWithoutPadding(text)
  if (length === undefined || length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let written = 0
  let bits = 0
  let held = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    const value = code < 128 ? (VALUES[code] ?? INVALID) : INVALID
    if (value === INVALID) return undefined
    bits = ((bits << 6) | value) & 0xfff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[written++] = bits >> held
    }
  }
  return bytes
}

/** Standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, STANDARD)
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

/** URL-safe alphabet, not padded. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encode(bytes, URL_SAFE)
}

function lengthWithoutPadding(text: string): number | undefined {
  if (!text.endsWith('=')) return text.length
  if (text.length % 4 !== 0) return undefined
  return text.length - (text.endsWith('==') ? 2 : 1)
}

function encode(bytes: Uint8Array, alphabet: string): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3fff
    held += 8
    while (held >= 6) {
      held -= 6
      text += alphabet.charAt((bits >> held) & 63)
    }
  }
  return held > 0 ? text + alphabet.charAt((bits << (6 - held)) & 63) : text
}
