import { exportPrivateKey, generateKeyPair, importAccountKeys, type AccountKeys } from '../../protocol/crypto/keys.ts'
import { wrapSecret, type Secrets } from '../../protocol/crypto/key-derivation.ts'

export type NewKeys = {
  /** SPKI, base64. */
  readonly pubkey: string
  /** The private key for the server, encrypted with a key derived from the passphrase. */
  readonly secret: string
  /** The same keys, non-extractable. */
  readonly keys: AccountKeys
}

/** A new key pair. Web Crypto generates it off the main thread. */
export async function makeKeys(derived: Secrets, bits: number): Promise<NewKeys> {
  const made = await generateKeyPair(bits, true)
  const pkcs8 = await exportPrivateKey(made)
  const [secret, keys] = await Promise.all([wrapSecret(derived, pkcs8), importAccountKeys(pkcs8, made.publicKey)])
  pkcs8.fill(0)
  return { pubkey: made.publicKey, secret, keys }
}
