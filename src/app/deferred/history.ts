import { fromPromise } from 'xstate'
import { unitStoreActor, type UnitDatabase } from '../../actors/unit-store.ts'
import type { FileReading } from '../../folding/unit/unit-file.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { Exported, ExportTask, ImportTask } from '../../machines/units/history/history.events.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'

export type HistoryDeps = {
  /** Where the history of units is kept; undefined where a browser keeps none. */
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  readonly document: Document
  /** Epoch milliseconds. */
  readonly now: () => number
}

const unitFiles = () => loadCode(() => import('../../actors/unit-files.ts'))

/** The machine of the history of units with its effects. */
export const historyMachines = ({ openUnits, document, now }: HistoryDeps) => ({
  history: historyMachine.provide({
    actors: {
      historyStore: unitStoreActor(openUnits),
      exportUnits: fromPromise<Exported, ExportTask>(async ({ input }) =>
        (await unitFiles()).exportUnits({ document, url: URL, now })(input),
      ),
      importUnits: fromPromise<FileReading, ImportTask>(async ({ input }) => (await unitFiles()).importUnits(input)),
    },
  }),
})
