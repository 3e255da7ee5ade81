import { t } from '@lingui/core/macro'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { ResetTaskCommand, ResetFact } from '../../machines/account/reset/reset.events.ts'
import { taskActor, type RunningTask } from './task-actor.ts'
import type { SignInDeps } from './sign-in-actor.ts'

export type ResetDeps = Pick<SignInDeps, 'api' | 'keyBits' | 'rememberPassword'>
type ResetTask = Extract<ResetTaskCommand, { readonly type: 'task.reset' }>
export type RunningResetTask = RunningTask<ResetTask, ResetFact>

/** Sets a new passphrase and a new key pair for an account. */
export function resetTasks(deps: ResetDeps) {
  return taskActor<ResetTask, ResetFact>(() => async task => {
    try {
      const { runResetTask } = await loadCode(() => import('./reset-tasks.ts'))
      const outcome = await runResetTask(deps, task)
      if (outcome !== undefined) task.report(outcome)
    } catch (error) {
      task.report({
        type: 'reset.failed',
        fault:
          error instanceof LoadError
            ? { kind: 'notLoaded', fault: error.fault }
            : { kind: 'unreadable', message: t`The new key could not be made.` },
      })
    }
  })
}
