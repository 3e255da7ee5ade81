import { randomBytes } from 'node:crypto'
import { DEMO } from '../demo-account.ts'

/** The only provider, by its id in `/login/{provider}`. */
export const PROVIDER = { id: 'guild', name: 'Guild' } as const

export type ProviderUser = { id: string; name: string; email: string; about: string }

/**
 * Users of the provider: the owner of the demo account, two users without an account, and one that is new each time.
 */
export const PROVIDER_USERS: readonly ProviderUser[] = [
  { id: 'demo', name: 'Demo Donor', email: DEMO.email, about: 'owner of the demo account' },
  { id: 'robin', name: 'Robin Novak', email: 'robin@guild.example', about: 'without an account' },
  { id: 'kim', name: 'Kim Osei', email: 'kim@guild.example', about: 'without an account' },
  { id: 'new', name: 'Somebody New', email: 'new-…@guild.example', about: 'a new user each time' },
]

export function providerUserById(id: string): ProviderUser | undefined {
  const person = PROVIDER_USERS.find(candidate => candidate.id === id)
  return person?.id === 'new' ? { ...person, email: `new-${randomBytes(4).toString('hex')}@guild.example` } : person
}
