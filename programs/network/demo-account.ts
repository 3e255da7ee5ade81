import { randomBytes } from 'node:crypto'
import { deriveSecrets, wrapSecret } from '../../src/protocol/crypto/key-derivation.ts'
import { generateRsaKey } from './keys.ts'
import { accountByEmail, createAccount, type Account } from './store/accounts.ts'
import { DEMO_EMPTY_TEAM, DEMO_TEAM, DEMO_USER } from './statistics/population.ts'
import type { Store } from './store/store.ts'
import { addTeam, type Team } from './store/teams.ts'

export const DEMO = { email: 'demo@foldboard.example', passphrase: 'fold proteins for fun' } as const

/** A team with points, and a new one that can be deleted. */
const TEAMS: readonly Team[] = [
  {
    team: DEMO_TEAM,
    name: 'Foldboard Friends',
    url: 'https://foldboard.example/',
    logo: '',
    wus: 1_871,
    score: 31_650_240,
  },
  { team: DEMO_EMPTY_TEAM, name: 'Night Shift', url: '', logo: '', wus: 0, score: 0 },
]

const CONFIG = { columns: ['Project', 'Type', 'Status', 'Progress', 'PPD'], compact: false, wide: false }

/** The public demo account. Its key is generated at the first start and stored wrapped, like any other. */
export async function ensureDemoAccount(store: Store, keyBits: number): Promise<Account> {
  const found = await accountByEmail(store, DEMO.email)
  if (found !== undefined) return found
  const [key, secrets] = await Promise.all([generateRsaKey(keyBits), deriveSecrets(DEMO.email, DEMO.passphrase)])
  const account = await createAccount(store, {
    email: DEMO.email,
    password: secrets.password,
    pubkey: key.publicKey,
    keyId: key.id,
    secret: await wrapSecret(secrets, key.privateKey.export({ format: 'der', type: 'pkcs8' })),
    user: DEMO_USER,
    team: DEMO_TEAM,
    passkey: randomBytes(16).toString('hex'),
    cause: 'any',
    config: JSON.stringify(CONFIG),
    verified: true,
  })
  for (const team of TEAMS) await addTeam(store, account.id, team)
  return account
}
