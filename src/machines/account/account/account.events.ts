import type { Account } from '../../../protocol/api.ts'
import type { AccountKeys } from '../../../protocol/keys.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'

/** Everything that being signed in gives. The keys cannot be exported. */
export type SignedIn = {
  readonly account: Account
  readonly keys: AccountKeys
}

export type AccountCommand =
  | { readonly type: 'account.refresh' }
  | { readonly type: 'account.signOut' }

export type AccountFact =
  | { readonly type: 'account.entered'; readonly signedIn: SignedIn }
  /** The server's answer to any call was that the session is over. */
  | { readonly type: 'account.sessionEnded' }

export type AccountEvent = AccountCommand | AccountFact

/** What the account tells the rest of the house. */
export type AccountNews =
  | { readonly type: 'account.changed'; readonly signedIn: SignedIn }
  | { readonly type: 'account.left'; readonly reason: 'signedOut' | 'sessionEnded' }
  | { readonly type: 'account.failed'; readonly operation: string; readonly fault: ApiFault }
