import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { NotLoaded, PassphraseGenerationFact } from '../sign-in/sign-in.events.ts'

/** The values of the reset form, and the token of its link. */
export type ResetForm = {
  readonly email: string
  readonly secrets: { readonly token: string; readonly passphrase: string; readonly passphraseAgain: string }
}

export type ResetCommand =
  /** The page was opened: start with an empty form. */
  | { readonly type: 'reset.open' }
  | ({ readonly type: 'reset.submit' } & ResetForm)
  | { readonly type: 'reset.generate' }
  | { readonly type: 'reset.cancel' }

export type ResetStep = 'deriving' | 'generating' | 'asking'

export type ResetFact =
  | { readonly type: 'reset.reached'; readonly step: ResetStep }
  | { readonly type: 'reset.done' }
  | { readonly type: 'reset.failed'; readonly fault: ApiFault | NotLoaded }
  | PassphraseGenerationFact

/** The reset may have ended the current session. */
export type ResetNotification = { readonly type: 'reset.finished' }

export type ResetEvent = ResetCommand | ResetFact

export type ResetTaskCommand =
  | ({ readonly type: 'task.reset' } & ResetForm)
  | { readonly type: 'task.generate' }
  | { readonly type: 'task.stop' }
