import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { NotLoaded, PassphraseGenerated } from '../sign-in/sign-in.events.ts'

/** What the passphrase is asked for. */
export type PassphrasePurpose = 'change' | 'delete'

/** What is typed. What sits under `secrets` never enters a recording. */
export type PassphraseForm = {
  readonly email: string
  readonly secrets: {
    readonly current: string
    /** The new one, typed twice; both '' where none is asked for. */
    readonly passphrase: string
    readonly passphraseAgain: string
  }
}

export type PassphraseCommand =
  | { readonly type: 'passphrase.ask'; readonly purpose: PassphrasePurpose }
  | ({ readonly type: 'passphrase.submit' } & PassphraseForm)
  /** Make up a passphrase. The answer is emitted, since it must stay nowhere. */
  | { readonly type: 'passphrase.generate' }
  | { readonly type: 'passphrase.cancel' }

export type PassphraseStep = 'checking' | 'saving'

/** `wrong`: the server does not know the current passphrase. `unsure`: the answer to the change was lost. */
export type PassphraseFailure = ApiFault | NotLoaded | { readonly kind: 'wrong' | 'unsure' | 'locked' }

export type PassphraseFact =
  | { readonly type: 'passphrase.reached'; readonly step: PassphraseStep }
  /** The current passphrase is the right one. */
  | { readonly type: 'passphrase.confirmed' }
  | { readonly type: 'passphrase.changed' }
  | { readonly type: 'passphrase.failed'; readonly failure: PassphraseFailure }
  | PassphraseGenerated

export type PassphraseEvent = PassphraseCommand | PassphraseFact

export type PassphraseDeskCommand =
  | ({ readonly type: 'desk.confirm' | 'desk.change'; readonly publicKey: string } & PassphraseForm)
  | { readonly type: 'desk.generate' }
  | { readonly type: 'desk.stop' }

/** What it tells the account. */
export type PassphraseNews = { readonly type: 'account.delete' } | { readonly type: 'account.sessionEnded' }
