import { fromPromise } from 'xstate'
import { renameClient, unlinkClient } from '../../actors/account/account-tasks.ts'
import { IDLE_TIMES_KEY, keptValue, PROCESSORS_KEY, type KeptValueDeps } from '../../actors/storage/kept-value.ts'
import { parseIdleTimes } from '../../folding/fleet/idle-time.ts'
import { parseProcessorNotes } from '../../folding/client/processor-notes.ts'
import type { IdleTimesFact } from '../../machines/fleet/idle-times/idle-times.events.ts'
import { idleTimesMachine } from '../../machines/fleet/idle-times/idle-times.machine.ts'
import type { ProcessorsFact } from '../../machines/fleet/processors/processors.events.ts'
import { processorsMachine } from '../../machines/fleet/processors/processors.machine.ts'
import type { Api } from '../../actors/network/api.ts'
import { bulkMachine } from '../../machines/fleet/bulk/bulk.machine.ts'
import { bulkPartMachine, type AccountWork } from '../../machines/fleet/bulk-part/bulk-part.machine.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import { createConcurrencyLimit } from '../../protocol/concurrency-limit.ts'

/** Calls of the account's API that run at once when many clients are renamed or unlinked. */
const ACCOUNT_CALLS = 4

type Deps = {
  readonly api: Api
  /** Corrected epoch milliseconds. */
  readonly now: () => number
} & Pick<KeptValueDeps<unknown, ProcessorsFact>, 'window' | 'storage'>

/** The machines of actions on many machines, on single processors and at a time, with their effects. */
export function bulkMachines({ api, now, ...storage }: Deps) {
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
    processors: processorsMachine.provide({
      actors: {
        readClock: fromPromise(() => Promise.resolve(now())),
        processorStore: keptValue({
          ...storage,
          key: PROCESSORS_KEY,
          parse: parseProcessorNotes,
          toFact: (notes): ProcessorsFact => ({ type: 'processors.restored', notes }),
        }),
      },
    }),
    idleTimes: idleTimesMachine.provide({
      actors: {
        readClock: fromPromise(() => Promise.resolve(now())),
        idleTimeStore: keptValue({
          ...storage,
          key: IDLE_TIMES_KEY,
          parse: parseIdleTimes,
          toFact: (times): IdleTimesFact => ({ type: 'idleTimes.restored', times }),
        }),
      },
    }),
  }
}
