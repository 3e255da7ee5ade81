import { decodeBase64, encodeBase64 } from '../../protocol/crypto/base64.ts'
import { ownBytes, randomBytes, utf8Bytes, utf8Text } from '../../protocol/crypto/bytes.ts'

/** A non-extractable AES-GCM key for `seal` and `unseal`. */
export function createSealKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const IV_BYTES = 12

/** Encrypts a text. `name` is authenticated: an entry moved to another name cannot be decrypted. */
export async function seal(key: CryptoKey, name: string, text: string): Promise<string> {
  const iv = randomBytes(IV_BYTES)
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: utf8Bytes(name) },
    key,
    utf8Bytes(text),
  )
  return `${encodeBase64(iv)}.${encodeBase64(new Uint8Array(sealed))}`
}

/** Undefined for text that was not encrypted with this key and name. */
export async function unseal(key: CryptoKey, name: string, entry: string): Promise<string | undefined> {
  const [iv, sealed] = entry.split('.').map(part => decodeBase64(part))
  if (iv?.length !== IV_BYTES || sealed === undefined) return undefined
  try {
    return utf8Text(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: utf8Bytes(name) }, key, ownBytes(sealed)),
    )
  } catch {
    return undefined
  }
}
