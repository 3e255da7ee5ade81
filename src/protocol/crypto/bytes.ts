/** Bytes over memory of their own, as WebCrypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const utf8Bytes = (text: string): Bytes => encoder.encode(text)

/** UTF-8 text; what is not UTF-8 becomes U+FFFD. */
export const utf8Text = (bytes: Uint8Array | ArrayBuffer): string => decoder.decode(bytes)

/** One byte a code point, modulo 256. Only the account's secrets are written so (docs/protocol.md §15). */
export const bytesOfCodePoints = (text: string): Bytes =>
  Uint8Array.from(text, character => (character.codePointAt(0) ?? 0) % 256)

export const randomBytes = (count: number): Bytes => crypto.getRandomValues(new Uint8Array(count))

/** The same bytes, copied only where they lie in shared memory. */
export const ownBytes = (bytes: Uint8Array): Bytes =>
  bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes)

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
