import type { ErrorActorEvent } from 'xstate'
import type { Account, Appearance } from '../../../protocol/api.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { AccountFailure, SettingsNews } from '../settings/settings.events.ts'

/** An account without what must not be written down. */
export type OpenAccount = Account & { readonly passkey?: never; readonly token?: never }

/** What the server last said of the account. What sits under `secrets` never enters a recording. */
export type AccountState = {
  readonly account: OpenAccount
  readonly secrets: { readonly passkey: string; readonly token: string }
  /** When it was asked, in corrected epoch milliseconds. */
  readonly at: number
}

/** Everything that being signed in gives. The keys cannot be exported. */
export type SignedIn = AccountState & { readonly keys: AccountKeys }

export type AccountCommand =
  | { readonly type: 'account.refresh' }
  /** The network came back, or somebody looks at the page again: a try that is due later is made now. */
  | { readonly type: 'account.retry' }
  | { readonly type: 'account.signOut' }
  | { readonly type: 'account.delete' }
  /** A new token makes the old one useless; machines that are linked stay so. */
  | { readonly type: 'account.renewToken' }
  /** A client is to be linked; `isAsked` when a person asked for it. */
  | { readonly type: 'account.linkClient'; readonly id: string; readonly name: string; readonly isAsked?: boolean }

export type AccountFact =
  | { readonly type: 'account.entered'; readonly signedIn: SignedIn }
  /** The server's answer to any call was that the session is over. */
  | { readonly type: 'account.sessionEnded' }
  /** The account or its machines were changed somewhere, at this time. */
  | { readonly type: 'account.changedElsewhere'; readonly time: number }
  /** In another tab. */
  | { readonly type: 'account.leftElsewhere' }
  | { readonly type: 'account.enteredElsewhere'; readonly id: string }

export type AccountEvent = ErrorActorEvent | AccountCommand | AccountFact | SettingsNews

export type LeavingReason = 'signedOut' | 'sessionEnded' | 'elsewhere' | 'deleted'

/** What the account tells the rest of the house. */
export type AccountNews =
  | { readonly type: 'account.changed'; readonly signedIn: SignedIn }
  /** A person has just signed in, in this tab. */
  | { readonly type: 'account.loggedIn'; readonly id: string }
  | { readonly type: 'account.looksSaved'; readonly config: Appearance }
  /** Looks to be shown though they are not saved; undefined ends that. */
  | { readonly type: 'account.previewed'; readonly config: Appearance | undefined }
  /** The machines must hear of a change. Passkeys are among it. */
  | {
      readonly type: 'account.told'
      readonly cmd: 'config' | 'restart'
      readonly secrets: { readonly config?: JsonObject }
    }
  | {
      readonly type: 'account.linking'
      readonly id: string
      readonly name: string
      readonly isAsked: boolean
      readonly secrets: { readonly token: string }
    }
  /** Nobody is signed in, as it turns out. */
  | { readonly type: 'account.nobody' }
  | { readonly type: 'account.left'; readonly reason: LeavingReason }
  | { readonly type: 'account.failed'; readonly failure: AccountFailure; readonly fault: ApiFault }
