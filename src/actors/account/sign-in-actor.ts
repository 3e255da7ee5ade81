import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { SignInTaskCommand, SignInFact } from '../../machines/account/sign-in/sign-in.events.ts'
import { endSession, type AccountTaskDeps } from './account-tasks.ts'
import { taskActor, type RunningTask } from './task-actor.ts'

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

type Work = Exclude<SignInTaskCommand, { readonly type: 'task.generate' | 'task.stop' }>

export type RunningSignInTask = RunningTask<Work, SignInFact> & {
  readonly providerSession: () => ProviderSession | undefined
  readonly setProviderSession: (vouched: ProviderSession) => void
}

/** Signs in, registers and requests resets. The code of the tasks is loaded on demand. */
export function signInTasks(deps: SignInDeps) {
  return taskActor<Work, SignInFact>(() => {
    let providerSession: ProviderSession | undefined
    return async task => {
      const { signal, report } = task
      try {
        const { runSignInTask } = await loadCode(() => import('./sign-in-tasks.ts'))
        const outcome = await runSignInTask(deps, {
          ...task,
          providerSession: () => providerSession,
          setProviderSession: found => (providerSession = found),
        })
        // Aborted after it succeeded: sign out again, here and at the server.
        if (signal.aborted && outcome?.type === 'signIn.succeeded') await endSession(deps, 'signedOut')
        else if (outcome !== undefined) report(outcome)
      } catch (error) {
        report({
          type: 'signIn.failed',
          fault: error instanceof LoadError ? { kind: 'notLoaded', fault: error.fault } : { kind: 'locked' },
        })
      }
    }
  })
}
