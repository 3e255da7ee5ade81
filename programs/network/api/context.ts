import type { Outbox } from '../mail/mail.ts'
import type { Standings } from '../statistics/standings.ts'
import type { Account } from '../store/accounts.ts'
import type { Guest } from '../store/provider-logins.ts'
import type { Store } from '../store/store.ts'

/** Services that routes use. */
export type ApiServices = {
  store: Store
  /** host:port of this network's relay node, the default of accounts. */
  nodeAddress: string
  allowedOrigins: readonly string[]
  latestVersion: readonly [number, number, number]
  mail: Outbox
  standings: Standings
  /** Seed of the population, from which other donors of a unit are chosen. */
  seed: number
  /** Called with clients whose account has a new key or was deleted: they must log in at the relay again. */
  onKeyRevoked: (clients: readonly string[]) => void
  now: () => number
  report: (line: string) => void
}

/** The caller: the owner of an account, or a guest who has only signed in with a provider. */
export type Visitor = { kind: 'account'; account: Account; session: string } | { kind: 'guest'; guest: Guest }

/** Set by `visiting`. */
export type VisitorEnv = { Variables: { visitor: Visitor } }

/** Set by `requireAccount`. */
export type SignedInEnv = { Variables: { account: Account; session: string } }
