/** Bytes in an unshared buffer, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function utf8Bytes(text: string): Bytes {
  return encoder.encode(text)
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array | ArrayBuffer): string {
  return decoder.decode(bytes)
}

/** One byte per code point, modulo 256: the encoding of the account's secrets (docs/protocol.md §15). */
export function bytesOfCodePoints(text: string): Bytes {
  return Uint8Array.from(text, character => (character.codePointAt(0) ?? 0) % 256)
}

export function randomBytes(count: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(count))
}

/** The same bytes, copied only from a shared buffer. */
export function ownBytes(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes)
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
