import { t } from '@lingui/core/macro'
import type { PassphraseFact } from '../../machines/account/passphrase/passphrase.events.ts'
import { loadCode } from '../../loading/load-code.ts'
import { failureOf, taskActor } from './task-actor.ts'
import type { PassphraseDeps, PassphraseTask } from './secret-tasks.ts'

/** Checks and changes the passphrase of the signed-in user. */
export function passphraseTasks(deps: PassphraseDeps) {
  return taskActor<PassphraseTask, PassphraseFact>(() => async task => {
    try {
      const { runPassphraseTask } = await loadCode(() => import('./passphrase-tasks.ts'))
      const outcome = await runPassphraseTask(deps, task)
      if (outcome !== undefined) task.report(outcome)
    } catch (error) {
      task.report({
        type: 'passphrase.failed',
        failure: failureOf(error, { kind: 'unreadable', message: t`The passphrase could not be checked.` }),
      })
    }
  })
}
