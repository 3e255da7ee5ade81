import { deriveSecrets, wrapSecret } from '../../src/protocol/crypto/key-derivation.ts'
import { generateRsaKey } from '../../programs/network/keys.ts'
import { PAGE } from './api.ts'

export type NewRegistration = {
  email: string
  password: string
  keyId: string
  keys: { pubkey: string; password: string; secret: string }
  body: Record<string, unknown>
}

/** What a page sends to register an account, with a short key. */
export async function newRegistration(email: string, passphrase = 'a long enough one'): Promise<NewRegistration> {
  const [key, secrets] = await Promise.all([generateRsaKey(1_024), deriveSecrets(email, passphrase)])
  const secret = await wrapSecret(secrets, key.privateKey.export({ format: 'der', type: 'pkcs8' }))
  const keys = { pubkey: key.publicKey, password: secrets.password, secret }
  return {
    email,
    password: secrets.password,
    keyId: key.id,
    keys,
    body: { user: 'New_Folder', team: 4_242, email, ...keys, verify_url: `${PAGE}/verify` },
  }
}
