import type { UnitContext } from '../../../../folding/unit/unit-column.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import { useClientAt, type Primitive } from '../../../hooks/client-context.ts'
import { contextOf, selectUnit } from './unit-access.ts'

/** A value of one unit at this moment; undefined when the unit is gone. Renders again only when the value differs. */
export function useUnitAt<T extends Primitive>(
  key: string,
  derive: (unit: Unit, context: UnitContext, snapshot: ClientSnapshot) => T,
): T | undefined {
  return useClientAt((snapshot, now) => {
    const unit = selectUnit(key)(snapshot)
    return unit === undefined ? undefined : derive(unit, contextOf(snapshot, now), snapshot)
  })
}
