import { randomBytes } from 'node:crypto'
import { DEMO } from '../demo-account.ts'

/** The one provider there is, by the name in `/login/{provider}`. */
export const PROVIDER = { id: 'guild', name: 'Guild' } as const

export type ProviderUser = { id: string; name: string; email: string; about: string }

/** Who may sign in there: an account's owner, two who have no account at first, and always one more. */
export const PROVIDER_USERS: readonly ProviderUser[] = [
  { id: 'demo', name: 'Demo Donor', email: DEMO.email, about: 'owns the demo account' },
  { id: 'robin', name: 'Robin Novak', email: 'robin@guild.example', about: 'is new here' },
  { id: 'kim', name: 'Kim Osei', email: 'kim@guild.example', about: 'is new here too' },
  { id: 'new', name: 'Somebody New', email: 'new-…@guild.example', about: 'is another person each time' },
]

export const providerUserById = (id: string): ProviderUser | undefined => {
  const person = PROVIDER_USERS.find(candidate => candidate.id === id)
  return person?.id === 'new' ? { ...person, email: `new-${randomBytes(4).toString('hex')}@guild.example` } : person
}
