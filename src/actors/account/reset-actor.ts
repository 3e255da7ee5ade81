import { t } from '@lingui/core/macro'
import { loadCode } from '../../loading/load-code.ts'
import type { ResetFact } from '../../machines/account/reset/reset.events.ts'
import { failureOf, taskActor } from './task-actor.ts'
import type { ResetDeps, ResetTask } from './secret-tasks.ts'

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
        fault: failureOf(error, { kind: 'unreadable', message: t`The new key could not be made.` }),
      })
    }
  })
}
