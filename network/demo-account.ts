import { randomBytes } from 'node:crypto'
import { deriveSecrets, wrapSecret } from '../src/protocol/secrets.ts'
import { generateRsaKey } from './keys.ts'
import { accountByEmail, createAccount } from './store/accounts.ts'
import type { Account } from './store/accounts.ts'
import type { Store } from './store/store.ts'
import { addTeam } from './store/teams.ts'

export const DEMO = { email: 'demo@foldboard.example', passphrase: 'fold proteins for fun' } as const

const DEMO_TEAM = { team: 4_242, name: 'Foldboard Friends', url: 'https://foldboard.example/', logo: '', wus: 1_871, score: 31_650_240 }

/** The account that everybody may sign in to. Its key is made at the first start, and kept wrapped like any other's. */
export const ensureDemoAccount = async (store: Store, keyBits: number): Promise<Account> => {
  const found = await accountByEmail(store, DEMO.email)
  if (found !== undefined) return found
  const [key, secrets] = await Promise.all([generateRsaKey(keyBits), deriveSecrets(DEMO.email, DEMO.passphrase)])
  const account = await createAccount(store, {
    email: DEMO.email,
    password: secrets.password,
    pubkey: key.publicKey,
    keyId: key.id,
    secret: await wrapSecret(secrets, key.privateKey.export({ format: 'der', type: 'pkcs8' })),
    user: 'Demo_Donor',
    team: DEMO_TEAM.team,
    passkey: randomBytes(16).toString('hex'),
    cause: 'any',
    verified: true,
  })
  await addTeam(store, account.id, DEMO_TEAM)
  return account
}
