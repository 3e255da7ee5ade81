import type { UnitRecord } from '../../../folding/unit/unit-record.ts'
import type { RecordsSnapshot } from './records.machine.ts'

/** What was seen of a unit of that id; undefined when nothing was. */
export function selectRecord(unit: string) {
  return ({ context }: RecordsSnapshot): UnitRecord | undefined =>
    [...context.records.values()].findLast(record => record.unit === unit)
}
