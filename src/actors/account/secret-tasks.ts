import type { PassphraseTaskCommand, PassphraseFact } from '../../machines/account/passphrase/passphrase.events.ts'
import type { ResetTaskCommand, ResetFact } from '../../machines/account/reset/reset.events.ts'
import type { SignInTaskCommand, SignInFact } from '../../machines/account/sign-in/sign-in.events.ts'
import type { AccountTaskDeps } from './account-tasks.ts'
import type { RunningTask } from './task-actor.ts'

export type SignInDeps = AccountTaskDeps & {
  /** The page's origin, such as `https://foldboard.example`. */
  readonly origin: string
  /** Navigates to another site. */
  readonly leaveFor: (url: string) => void
  /** Offers email and passphrase to the browser's password manager. */
  readonly rememberPassword: (email: string, passphrase: string) => Promise<void>
  /** Bits of a new account's key. */
  readonly keyBits: number
}

/** A session that a provider has authenticated, while the dialog is open. */
export type ProviderSession = { readonly session: string; readonly email: string }

export type SignInTask = Exclude<SignInTaskCommand, { readonly type: 'task.generate' | 'task.stop' }>

export type RunningSignInTask = RunningTask<SignInTask, SignInFact> & {
  readonly providerSession: () => ProviderSession | undefined
  readonly setProviderSession: (vouched: ProviderSession) => void
}

export type PassphraseDeps = Pick<SignInDeps, 'api' | 'rememberPassword'>
export type PassphraseTask = Extract<PassphraseTaskCommand, { readonly type: 'task.confirm' | 'task.change' }>
export type RunningPassphraseTask = RunningTask<PassphraseTask, PassphraseFact>

export type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
export type ResetTask = Extract<ResetTaskCommand, { readonly type: 'task.reset' }>
export type RunningResetTask = RunningTask<ResetTask, ResetFact>
