import { DEMO } from '../demo-account.ts'

/** The one provider there is, by the name in `/login/{provider}`. */
export const PROVIDER = { id: 'guild', name: 'Guild' } as const

export type Person = { id: string; name: string; email: string; about: string }

/** Who may sign in there: an account's owner, and two who have none yet. */
export const PEOPLE: readonly Person[] = [
  { id: 'demo', name: 'Demo Donor', email: DEMO.email, about: 'owns the demo account' },
  { id: 'robin', name: 'Robin Novak', email: 'robin@guild.example', about: 'is new here' },
  { id: 'kim', name: 'Kim Osei', email: 'kim@guild.example', about: 'is new here too' },
]

export const personById = (id: string): Person | undefined => PEOPLE.find((person) => person.id === id)
