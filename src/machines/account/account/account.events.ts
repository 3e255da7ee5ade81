import type { ErrorActorEvent } from 'xstate'
import type { Account, Appearance } from '../../../protocol/api/api.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { AccountFailure, SettingsNotification } from '../settings/settings.events.ts'

/** An account without passkey and token, which must not be recorded. */
export type PublicAccount = Account & { readonly passkey?: never; readonly token?: never }

/** The account as the server last reported it. Values under `secrets` never enter a recording. */
export type AccountState = {
  readonly account: PublicAccount
  readonly secrets: { readonly passkey: string; readonly token: string }
  /** When it was fetched, in corrected epoch milliseconds. */
  readonly at: number
}

/** The account with its keys, which cannot be exported. */
export type SignedIn = AccountState & { readonly keys: AccountKeys }

export type AccountCommand =
  | { readonly type: 'account.refresh' }
  /** The network came back or the page became visible: retry now instead of after the delay. */
  | { readonly type: 'account.retry' }
  | { readonly type: 'account.signOut' }
  | { readonly type: 'account.delete' }
  /** A new token invalidates the old one. Linked clients stay linked. */
  | { readonly type: 'account.renewToken' }
  /** Link a client. `isAsked`: the user requested it. */
  | { readonly type: 'account.linkClient'; readonly id: string; readonly name: string; readonly isAsked?: boolean }

export type AccountFact =
  | { readonly type: 'account.sessionStarted'; readonly signedIn: SignedIn }
  /** The server answered a call with: the session is over. */
  | { readonly type: 'account.sessionEnded' }
  /** The account or its clients were changed elsewhere. `time`: epoch milliseconds. */
  | { readonly type: 'account.changedElsewhere'; readonly time: number }
  /** Signed out or in in another tab. */
  | { readonly type: 'account.signedOutElsewhere' }
  | { readonly type: 'account.signedInElsewhere'; readonly id: string }

export type AccountEvent = ErrorActorEvent | AccountCommand | AccountFact | SettingsNotification

export type SignOutReason = 'signedOut' | 'sessionEnded' | 'elsewhere' | 'deleted'

/** Sent to the app. */
export type AccountNotification =
  | { readonly type: 'account.changed'; readonly signedIn: SignedIn }
  /** The user signed in in this tab, as opposed to a restored session. */
  | { readonly type: 'account.loggedIn'; readonly id: string }
  | { readonly type: 'account.appearanceSaved'; readonly config: Appearance }
  /** Show this appearance without saving it; undefined ends the preview. */
  | { readonly type: 'account.appearancePreviewed'; readonly config: Appearance | undefined }
  /** BroadcastContent a change to the account's clients. A config may hold a passkey. */
  | {
      readonly type: 'account.broadcastRequested'
      readonly cmd: 'config' | 'restart'
      readonly secrets: { readonly config?: JsonObject }
    }
  | {
      readonly type: 'account.linkRequested'
      readonly id: string
      readonly name: string
      readonly isAsked: boolean
      readonly secrets: { readonly token: string }
    }
  /** This browser has no session. */
  | { readonly type: 'account.noSession' }
  | { readonly type: 'account.signedOut'; readonly reason: SignOutReason }
  | { readonly type: 'account.failed'; readonly failure: AccountFailure; readonly fault: ApiFault }
