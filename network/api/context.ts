import type { MailTransport } from '../mail/mail.ts'
import type { Standings } from '../statistics/standings.ts'
import type { Account } from '../store/accounts.ts'
import type { Guest } from '../store/provider-logins.ts'
import type { Store } from '../store/store.ts'

/** What routes need from outside. */
export type ApiServices = {
  store: Store
  /** host:port of this network's relay node, for accounts that chose no other. */
  nodeAddress: string
  /** Origins of pages that may call. */
  allowedOrigins: readonly string[]
  latestVersion: readonly [number, number, number]
  mail: MailTransport
  standings: Standings
  /** Of the world: who else folded a unit. */
  seed: number
  /** These machines must log in at the relay again: their account has another key, or is gone. */
  onKeyRevoked: (machines: readonly string[]) => void
  now: () => number
  report: (line: string) => void
}

/** Who asks: an account's owner, or somebody for whom only a provider vouches. */
export type Visitor = { kind: 'account'; account: Account; session: string } | { kind: 'guest'; guest: Guest }

/** Set by `visiting`. */
export type VisitorEnv = { Variables: { visitor: Visitor } }

/** Set by `requireAccount`. */
export type SignedInEnv = { Variables: { account: Account; session: string } }
