import { fromPromise } from 'xstate'
import type { Api } from '../../actors/network/api.ts'
import { askCredit } from '../../actors/resources/credits.ts'
import { serverHistory } from '../../actors/server/server-history.ts'
import { unitStoreActor, type LastingStorage, type UnitDatabase } from '../../actors/storage/unit-store.ts'
import type { FileReading } from '../../folding/unit/unit-file.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { Exported, ExportTask, ImportTask } from '../../machines/units/history/history.events.ts'
import { creditsMachine, type CreditFound, type CreditTask } from '../../machines/units/credits/credits.machine.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'

export type HistoryDeps = {
  /** Where the history of units is kept; undefined where a browser keeps none. */
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  /** Undefined where a browser cannot be asked to keep it. */
  readonly lastingStorage: LastingStorage | undefined
  /** For the history of the server of this page; undefined where there is none. */
  readonly serverFetch: typeof globalThis.fetch | undefined
  readonly document: Document
  readonly api: Api
  /** Corrected epoch milliseconds. */
  readonly correctedNow: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
}

function unitFiles() {
  return loadCode(() => import('../../actors/storage/unit-files.ts'))
}

/** The machines of the history of units with their effects. */
export function historyMachines({
  openUnits,
  lastingStorage,
  serverFetch,
  document,
  api,
  correctedNow,
  now,
}: HistoryDeps) {
  return {
    history: historyMachine.provide({
      actors: {
        historyStore: unitStoreActor(
          openUnits,
          undefined,
          serverFetch === undefined ? undefined : serverHistory({ fetch: serverFetch }),
          lastingStorage,
        ),
        exportUnits: fromPromise<Exported, ExportTask>(async ({ input }) =>
          (await unitFiles()).exportUnits({ document, url: URL, now })(input),
        ),
        importUnits: fromPromise<FileReading, ImportTask>(async ({ input }) => (await unitFiles()).importUnits(input)),
      },
    }),
    credits: creditsMachine.provide({
      actors: {
        readClock: fromPromise(() => Promise.resolve(correctedNow())),
        askCredit: fromPromise<CreditFound | undefined, CreditTask>(({ input }) =>
          askCredit({ api, now: correctedNow }, input),
        ),
      },
    }),
  }
}
