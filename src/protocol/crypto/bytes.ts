/** Bytes in an unshared buffer, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const utf8Bytes = (text: string): Bytes => encoder.encode(text)

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array | ArrayBuffer): string => decoder.decode(bytes)

/** One byte per code point, modulo 256: the encoding of the account's secrets (docs/protocol.md §15). */
export const bytesOfCodePoints = (text: string): Bytes =>
  Uint8Array.from(text, character => (character.codePointAt(0) ?? 0) % 256)

export const randomBytes = (count: number): Bytes => crypto.getRandomValues(new Uint8Array(count))

/** The same bytes, copied only from a shared buffer. */
export const ownBytes = (bytes: Uint8Array): Bytes =>
  bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes)

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
