import type { UnitRecord } from '../../../folding/unit/unit-record.ts'
import type { RecordsSnapshot } from './records.machine.ts'

export function isLoading(snapshot: RecordsSnapshot): boolean {
  return snapshot.hasTag('loading')
}

/** What was seen of a unit of that id; undefined when nothing was. */
export function selectRecord(unit: string) {
  return ({ context }: RecordsSnapshot): UnitRecord | undefined =>
    [...context.records.values()].findLast(record => record.unit === unit)
}
