/** Sessions of people who have signed in, by the hash of their cookie. `made_with`: of what they signed in with. */
export type StoredSession = {
  readonly hash: string
  readonly user: string
  readonly expires: number
  readonly made_with: string
}

export type SessionStore = {
  /** `now`: epoch milliseconds; a session that has ended is not found. */
  readonly find: (hash: string, now: number) => Promise<StoredSession | undefined>
  readonly add: (session: StoredSession, now: number) => Promise<void>
  readonly remove: (hash: string) => Promise<void>
}
