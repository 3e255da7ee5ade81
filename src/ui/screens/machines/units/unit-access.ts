import { clientName } from '../../../../folding/client/client.ts'
import type { UnitColumn, UnitContext } from '../../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { selectUnits, selectUnitsOfGroup, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import { sortKeys } from '../view-params.ts'

/** Identifies a unit within its client for its whole life; its id changes with every attempt to get work. */
export function unitKey(unit: Unit, index: number): string {
  return unit.number === undefined ? (unit.id ?? `#${index}`) : String(unit.number)
}

const byKey = new WeakMap<readonly Unit[], ReadonlyMap<string, Unit>>()

export function selectUnit(key: string) {
  return (snapshot: ClientSnapshot): Unit | undefined => {
    const units = selectUnits(snapshot)
    let unitsByKey = byKey.get(units)
    if (unitsByKey === undefined) {
      unitsByKey = new Map(units.map((unit, index) => [unitKey(unit, index), unit]))
      byKey.set(units, unitsByKey)
    }
    return unitsByKey.get(key)
  }
}

export function contextOf(snapshot: ClientSnapshot, now: number): UnitContext {
  const view = selectView(snapshot)
  return { machine: clientName(view), data: view.data, now }
}

const SEPARATOR = '\n'

/** The ordered keys of a group's units, joined into one string so that only another order renders again. */
export function selectUnitOrder(
  group: string,
  sort: UnitSort | undefined,
  column: UnitColumn | undefined,
): (snapshot: ClientSnapshot, now: number) => string {
  return (snapshot, now) => {
    const all = selectUnits(snapshot)
    const rows = selectUnitsOfGroup(group)(snapshot).map(unit => ({ unit, key: unitKey(unit, all.indexOf(unit)) }))
    if (sort === undefined || column === undefined) return rows.map(({ key }) => key).join(SEPARATOR)
    const context = contextOf(snapshot, now)
    const valued = rows.map(({ unit, key }) => ({ key, value: column.value(unit, context) }))
    return sortKeys(valued, sort.isDescending).join(SEPARATOR)
  }
}

/** The inverse of `selectUnitOrder`. */
export function keysOf(order: string): readonly string[] {
  return order === '' ? [] : order.split(SEPARATOR)
}
