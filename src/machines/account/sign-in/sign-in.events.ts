import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { SignedIn } from '../account/account.events.ts'

/** The login dialog's three modes, and the two that follow a sign-in by another provider. */
export type SignInMode = 'login' | 'register' | 'reset' | 'unlock' | 'create'

/** The form's values. Those under `secrets` never enter a recording. */
export type SignInForm = {
  readonly email: string
  readonly user: string
  readonly team: string
  readonly secrets: { readonly passphrase: string; readonly passphraseAgain: string; readonly passkey: string }
}

export type SignInCommand =
  | { readonly type: 'signIn.open'; readonly mode?: SignInMode }
  | { readonly type: 'signIn.setMode'; readonly mode: SignInMode }
  | ({ readonly type: 'signIn.submit' } & SignInForm)
  | { readonly type: 'signIn.chooseProvider'; readonly provider: string }
  /** A provider redirected back with this query. */
  | { readonly type: 'signIn.return'; readonly secrets: { readonly query: Readonly<Record<string, string>> } }
  /** Generate a passphrase. It is emitted instead of stored. */
  | { readonly type: 'signIn.generate' }
  | { readonly type: 'signIn.cancel' }

export type SignInStep = 'deriving' | 'asking' | 'unlocking' | 'generating' | 'registering' | 'leaving'

/** `mismatched`: the public key of the account does not belong to its private key. */
export type SignInFault = ApiFault | NotLoaded | { readonly kind: 'locked' } | { readonly kind: 'mismatched' }

/** Reported by the actor that does the work. */
export type SignInFact =
  | { readonly type: 'signIn.reached'; readonly step: SignInStep }
  | { readonly type: 'signIn.succeeded'; readonly signedIn: SignedIn }
  | { readonly type: 'signIn.registered'; readonly email: string }
  | { readonly type: 'signIn.resetRequested'; readonly email: string }
  /** A provider confirmed the identity and the account exists: the passphrase is needed to decrypt its key. */
  | { readonly type: 'signIn.mustUnlock'; readonly email: string }
  /** A provider confirmed the identity but there is no account yet. */
  | { readonly type: 'signIn.mustCreate'; readonly email: string }
  | { readonly type: 'signIn.failed'; readonly fault: SignInFault }
  | PassphraseGenerationFact

/** The code for this task could not be loaded. */
export type NotLoaded = { readonly kind: 'notLoaded'; readonly fault: LoadFault }

/** A generated passphrase: emitted, never stored. */
export type PassphraseGenerated = {
  readonly type: 'passphrase.generated'
  readonly secrets: { readonly passphrase: string }
}

export type PassphraseGenerationFact =
  | PassphraseGenerated
  | { readonly type: 'passphrase.generationFailed'; readonly fault: LoadFault }

export type SignInEvent = SignInCommand | SignInFact

/** Tasks that the dialog starts. */
export type SignInTaskCommand =
  | ({ readonly type: 'task.submit'; readonly mode: SignInMode } & SignInForm)
  | { readonly type: 'task.goToProvider'; readonly provider: string }
  | { readonly type: 'task.return'; readonly secrets: { readonly query: Readonly<Record<string, string>> } }
  | { readonly type: 'task.generate' }
  | { readonly type: 'task.stop' }

export type SignInNotification =
  | { readonly type: 'account.sessionStarted'; readonly signedIn: SignedIn }
  | { readonly type: 'signIn.registered'; readonly email: string }
  | { readonly type: 'signIn.resetRequested'; readonly email: string }
