import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { UnitContext } from '../../../../folding/unit-column.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { useSystem } from '../../../system-context.ts'
import { momentOf, useClient } from '../client-context.ts'
import { contextOf, selectUnit } from './unit-access.ts'
import { unitBoardOf } from './unit-board.ts'

type Primitive = string | number | boolean | undefined
type Derive<T> = (unit: Unit, context: UnitContext, snapshot: ClientSnapshot) => T

/** Reads a value of one unit. `derive` runs only when the unit, its group, its machine or the time has changed. */
const createUnitReader = <T extends Primitive>(key: string) => {
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

/** What one unit means at this moment; undefined when it is gone. */
export const useUnitMoment = <T extends Primitive>(key: string, derive: Derive<T>): T | undefined => {
  const client = useClient()
  const { clock } = useSystem()
  const read = useMemo(() => createUnitReader<T>(key), [key])
  const subscribe = useCallback(
    (onChange: () => void) => unitBoardOf(client, clock).subscribe(key, onChange),
    [client, clock, key],
  )
  return useSyncExternalStore(subscribe, () => {
    const snapshot = client.getSnapshot()
    return read(derive, snapshot, momentOf(snapshot, clock.getSnapshot().context.now))
  })
}
