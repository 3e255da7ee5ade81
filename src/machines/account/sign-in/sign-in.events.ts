import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { SignedIn } from '../account/account.events.ts'

export type SignInMode = 'login' | 'register' | 'reset'

export type SignInCommand =
  | { readonly type: 'signIn.open'; readonly mode?: SignInMode }
  /** What sits under `secrets` never enters a recording. */
  | { readonly type: 'signIn.submit'; readonly email: string; readonly secrets: { readonly passphrase: string } }
  | { readonly type: 'signIn.cancel' }

export type SignInStep = 'deriving' | 'asking' | 'unlocking'

/** What the desk, which does the work, reports. */
export type SignInFact =
  | { readonly type: 'signIn.reached'; readonly step: SignInStep }
  | { readonly type: 'signIn.succeeded'; readonly signedIn: SignedIn }
  | { readonly type: 'signIn.failed'; readonly fault: ApiFault | { readonly kind: 'locked' } }

export type SignInEvent = SignInCommand | SignInFact

/** What the dialog asks of the desk. */
export type DeskCommand =
  | { readonly type: 'desk.signIn'; readonly email: string; readonly secrets: { readonly passphrase: string } }
  | { readonly type: 'desk.stop' }

export type SignInNews = { readonly type: 'account.entered'; readonly signedIn: SignedIn }
