import { decodeBase64, encodeBase64 } from './base64.ts'
import { type Bytes, bytesOfCodePoints, ownBytes, sha256 } from './bytes.ts'
import { type Result, bad, good } from '../fault.ts'

/** Keys derived from email and passphrase (docs/protocol.md §15). */
export type Secrets = {
  /** Sent to the server in place of the passphrase: base64. */
  readonly password: string
  readonly wrappingKey: CryptoKey
  readonly iv: Bytes
}

const ITERATIONS = 100_000

export async function deriveSecrets(email: string, passphrase: string): Promise<Secrets> {
  const salt = await sha256(bytesOfCodePoints(email.toLowerCase()))
  const phrase = await crypto.subtle.importKey('raw', bytesOfCodePoints(passphrase), 'PBKDF2', false, ['deriveBits'])
  const derived = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }, phrase, 256),
  )
  return {
    password: encodeBase64(await sha256(derived)),
    wrappingKey: await crypto.subtle.importKey('raw', derived, 'AES-CBC', false, ['encrypt', 'decrypt']),
    iv: salt.slice(0, 16),
  }
}

/** Wraps the account's private key (PKCS#8) for the server: base64. */
export async function wrapSecret(secrets: Secrets, pkcs8: Uint8Array): Promise<string> {
  return encodeBase64(
    new Uint8Array(
      await crypto.subtle.encrypt({ name: 'AES-CBC', iv: secrets.iv }, secrets.wrappingKey, ownBytes(pkcs8)),
    ),
  )
}

/** The inverse of `wrapSecret`. A wrong passphrase gives `undecryptable`. */
export async function unwrapSecret(secrets: Secrets, secret: string): Promise<Result<Bytes>> {
  const wrapped = decodeBase64(secret)
  if (!wrapped) return bad({ kind: 'undecryptable' })
  try {
    const pkcs8 = await crypto.subtle.decrypt({ name: 'AES-CBC', iv: secrets.iv }, secrets.wrappingKey, wrapped)
    return good(new Uint8Array(pkcs8))
  } catch {
    return bad({ kind: 'undecryptable' })
  }
}
