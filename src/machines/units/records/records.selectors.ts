import type { UnitRecord } from '../../../folding/unit/unit-record.ts'
import type { RecordsSnapshot } from './records.machine.ts'

export const isLoading = (snapshot: RecordsSnapshot): boolean => snapshot.hasTag('loading')

/** What was seen of a unit of that id; undefined when nothing was. */
export const selectRecord =
  (unit: string) =>
  ({ context }: RecordsSnapshot): UnitRecord | undefined =>
    [...context.records.values()].findLast(record => record.unit === unit)
