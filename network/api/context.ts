import type { Account } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'

/** What routes need from outside. */
export type ApiServices = {
  store: Store
  /** host:port of this network's relay node, for accounts that chose no other. */
  nodeAddress: string
  /** Origins of pages that may call. */
  allowedOrigins: readonly string[]
  latestVersion: readonly [number, number, number]
  report: (line: string) => void
}

/** Set by `signedIn`. */
export type SignedInEnv = { Variables: { account: Account; session: string } }
