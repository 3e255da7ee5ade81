import { t } from '@lingui/core/macro'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { ResetFact } from '../../machines/account/reset/reset.events.ts'
import { taskActor } from './task-actor.ts'
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
        fault:
          error instanceof LoadError
            ? { kind: 'notLoaded', fault: error.fault }
            : { kind: 'unreadable', message: t`The new key could not be made.` },
      })
    }
  })
}
