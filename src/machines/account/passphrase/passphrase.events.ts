import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { NotLoaded, PassphraseGenerationFact } from '../sign-in/sign-in.events.ts'

/** What the passphrase confirms. */
export type PassphrasePurpose = 'change' | 'delete'

/** The form's values. Those under `secrets` never enter a recording. */
export type PassphraseForm = {
  readonly email: string
  readonly secrets: {
    readonly current: string
    /** The new passphrase, typed twice; both '' when none is needed. */
    readonly passphrase: string
    readonly passphraseAgain: string
  }
}

export type PassphraseCommand =
  | { readonly type: 'passphrase.ask'; readonly purpose: PassphrasePurpose }
  | ({ readonly type: 'passphrase.submit' } & PassphraseForm)
  /** Generate a passphrase. It is emitted instead of stored. */
  | { readonly type: 'passphrase.generate' }
  | { readonly type: 'passphrase.cancel' }

export type PassphraseStep = 'checking' | 'saving'

/** `wrong`: the current passphrase is wrong. `unsure`: the response to the change was lost. */
export type PassphraseFailure = ApiFault | NotLoaded | { readonly kind: 'wrong' | 'unsure' | 'locked' }

export type PassphraseFact =
  | { readonly type: 'passphrase.reached'; readonly step: PassphraseStep }
  /** The current passphrase is the right one. */
  | { readonly type: 'passphrase.confirmed' }
  | { readonly type: 'passphrase.changed' }
  | { readonly type: 'passphrase.failed'; readonly failure: PassphraseFailure }
  | PassphraseGenerationFact

export type PassphraseEvent = PassphraseCommand | PassphraseFact

export type PassphraseTaskCommand =
  | ({ readonly type: 'task.confirm' | 'task.change'; readonly publicKey: string } & PassphraseForm)
  | { readonly type: 'task.generate' }
  | { readonly type: 'task.stop' }

/** Sent to the account. */
export type PassphraseNotification = { readonly type: 'account.delete' } | { readonly type: 'account.sessionEnded' }
