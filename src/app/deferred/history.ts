import { fromPromise } from 'xstate'
import { unitStoreActor, type UnitDatabase } from '../../actors/unit-store.ts'
import type { FileReading } from '../../folding/unit/unit-file.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { Exported, ExportTask, ImportTask } from '../../machines/units/history/history.events.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'

type HistoryDeps = {
  readonly document: Document
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  readonly now: () => number
}

/** The history of units with its store and its files. */
export const historyGroup = ({ document, openUnits, now }: HistoryDeps) => ({
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

const unitFiles = () => loadCode(() => import('../../actors/unit-files.ts'))
