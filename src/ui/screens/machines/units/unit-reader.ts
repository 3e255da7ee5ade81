import type { UnitContext } from '../../../../folding/unit/unit-column.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { contextOf, selectUnit } from './unit-access.ts'

export type Primitive = string | number | boolean | undefined
export type Derive<T> = (unit: Unit, context: UnitContext, snapshot: ClientSnapshot) => T

/** Reads a value of one unit. `derive` runs only when the unit, its group, its machine or the time has changed. */
export const createUnitReader = <T extends Primitive>(key: string) => {
  const find = selectUnit(key)
  let known: readonly unknown[] = []
  let value: T | undefined
  return (derive: Derive<T>, snapshot: ClientSnapshot, now: number): T | undefined => {
    const unit = find(snapshot)
    const { record, name, connectedAt } = snapshot.context
    const grounds = [derive, unit, record.data?.groups, record.data?.info, name, connectedAt, now]
    if (grounds.every((ground, index) => ground === known[index])) return value
    known = grounds
    value = unit === undefined ? undefined : derive(unit, contextOf(snapshot, now), snapshot)
    return value
  }
}
