import { loadCode } from '../../loading/load-code.ts'
import type { SignInFact } from '../../machines/account/sign-in/sign-in.events.ts'
import { endSession } from './account-tasks.ts'
import { failureOf, taskActor } from './task-actor.ts'
import type { ProviderSession, SignInDeps, SignInTask } from './secret-tasks.ts'

/** Signs in, registers and requests resets. The code of the tasks is loaded on demand. */
export function signInTasks(deps: SignInDeps) {
  return taskActor<SignInTask, SignInFact>(() => {
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
        report({ type: 'signIn.failed', fault: failureOf(error, { kind: 'locked' }) })
      }
    }
  })
}
