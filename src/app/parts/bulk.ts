import { fromPromise } from 'xstate'
import { renameClient, unlinkClient } from '../../actors/account/account-tasks.ts'
import type { Api } from '../../actors/network/api.ts'
import { bulkMachine } from '../../machines/fleet/bulk/bulk.machine.ts'
import { bulkPartMachine, type AccountWork } from '../../machines/fleet/bulk-part/bulk-part.machine.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import { createConcurrencyLimit } from '../../protocol/concurrency-limit.ts'

/** Calls of the account's API that run at once when many clients are renamed or unlinked. */
const ACCOUNT_CALLS = 4

/** The machine of actions on many machines, with its effects. */
export function bulkMachines(api: Api) {
  const inTurn = createConcurrencyLimit(ACCOUNT_CALLS)
  return {
    bulk: bulkMachine.provide({
      actors: {
        part: bulkPartMachine.provide({
          actors: {
            callAccount: fromPromise<ApiResult<unknown>, AccountWork>(({ input }) =>
              inTurn(() =>
                input.kind === 'rename' ? renameClient({ api }, input) : unlinkClient({ api }, input.machine),
              ),
            ),
          },
        }),
      },
    }),
  }
}
