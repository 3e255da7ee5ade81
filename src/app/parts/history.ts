import { fromPromise } from 'xstate'
import { serverHistory } from '../../actors/server/server-history.ts'
import { unitStoreActor, type LastingStorage, type UnitDatabase } from '../../actors/storage/unit-store.ts'
import type { FileReading } from '../../folding/unit/unit-file.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { Exported, ExportTask, ImportTask } from '../../machines/units/history/history.events.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'

export type HistoryDeps = {
  /** Where the history of units is kept; undefined where a browser keeps none. */
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  /** Undefined where a browser cannot be asked to keep it. */
  readonly lastingStorage: LastingStorage | undefined
  /** For the history of the server of this page; undefined where there is none. */
  readonly serverFetch: typeof globalThis.fetch | undefined
  readonly document: Document
  /** Epoch milliseconds. */
  readonly now: () => number
}

function unitFiles() {
  return loadCode(() => import('../../actors/storage/unit-files.ts'))
}

/** The machine of the history of units with its effects. */
export function historyMachines({ openUnits, lastingStorage, serverFetch, document, now }: HistoryDeps) {
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
  }
}
