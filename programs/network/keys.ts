import { createHash, createPublicKey, generateKeyPair as generate, verify, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

const generateRsa = promisify(generate)

export type RsaKey = { privateKey: KeyObject; publicKey: string; id: string }

/** Reads an SPKI public key in base64; undefined if it is invalid or not RSA. */
export function readPublicKey(spki: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

let lastAccount: { spki: string; key: KeyObject | undefined } | undefined

/** As `readPublicKey`, with a cache of one key: all clients of a fleet read the same account's. */
export function readAccountKey(spki: string): KeyObject | undefined {
  if (lastAccount?.spki !== spki) lastAccount = { spki, key: readPublicKey(spki) }
  return lastAccount.key
}

/**
 * Account or client id: base64url SHA-256 over the modulus (docs/protocol.md §3). A JWK's `n` is that modulus, without
 * leading zero.
 */
export function idOfKey(key: KeyObject): string {
  const { n } = key.export({ format: 'jwk' })
  return createHash('sha256')
    .update(Buffer.from(n ?? '', 'base64url'))
    .digest('base64url')
}

/** Whether a signature, in either base64 alphabet, is valid. False for an unusable key. */
export function signatureFits(key: KeyObject, text: string, signature: string): boolean {
  try {
    return verify('sha256', Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

export function spkiOf(key: KeyObject): string {
  const der = key.export({ format: 'der', type: 'spki' })
  return der.toString('base64')
}

/** Generated in Node's thread pool, without blocking. */
export async function generateRsaKey(bits: number): Promise<RsaKey> {
  const pair = await generateRsa('rsa', { modulusLength: bits, publicExponent: 0x10001 })
  return { privateKey: pair.privateKey, publicKey: spkiOf(pair.publicKey), id: idOfKey(pair.publicKey) }
}
