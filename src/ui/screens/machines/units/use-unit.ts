import { useCallback, useMemo, useSyncExternalStore, type RefCallback } from 'react'
import type { UnitContext } from '../../../../folding/unit/unit-column.ts'
import { selectNow } from '../../../../machines/app/clock/clock.selectors.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { selectUnitDependencies } from '../../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../../protocol/client-data.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { effectiveNow, useClient, type Primitive } from '../client-context.ts'
import { contextOf, selectUnit } from './unit-access.ts'
import { unitSubscriptionsOf } from './unit-subscriptions.ts'
import { isSameList } from '../../../../folding/shared/equal.ts'

type Derive<T> = (unit: Unit, context: UnitContext, snapshot: ClientSnapshot) => T

/** Reads a value of one unit. `derive` runs only when the unit, its group, its machine or the time has changed. */
const createUnitReader = <T extends Primitive>(key: string) => {
  const find = selectUnit(key)
  let known: readonly unknown[] = []
  let value: T | undefined
  return (derive: Derive<T>, snapshot: ClientSnapshot, now: number): T | undefined => {
    const unit = find(snapshot)
    const dependencies = [derive, unit, ...selectUnitDependencies(snapshot), now]
    if (isSameList(dependencies, known)) return value
    known = dependencies
    value = unit === undefined ? undefined : derive(unit, contextOf(snapshot, now), snapshot)
    return value
  }
}

/** A value of one unit at this moment; undefined when the unit is gone. Renders again only when the value differs. */
export const useUnitAt = <T extends Primitive>(key: string, derive: Derive<T>): T | undefined => {
  const client = useClient()
  const { clock } = useSystem()
  const read = useMemo(() => createUnitReader<T>(key), [key])
  const subscribe = useCallback(
    (onChange: () => void) => unitSubscriptionsOf(client, clock).subscribe(key, onChange),
    [client, clock, key],
  )
  return useSyncExternalStore(subscribe, () => {
    const snapshot = client.getSnapshot()
    return read(derive, snapshot, effectiveNow(snapshot, selectNow(clock.getSnapshot())))
  })
}

/**
 * Writes a value of one unit into its element without React: the value may change sixty times a second, and rendering
 * costs ten times as much. React renders the element once, without children. `derive` and `write` must be the same
 * functions at every render.
 */
export const useUnitBinding = <E extends HTMLElement, T extends Primitive>(
  key: string,
  derive: Derive<T>,
  write: (element: E, value: T | undefined) => void,
): RefCallback<E> => {
  const client = useClient()
  const { clock } = useSystem()
  return useCallback(
    (element: E) => {
      const read = createUnitReader<T>(key)
      let written: T | undefined
      const update = (isFirst: boolean): void => {
        const snapshot = client.getSnapshot()
        const value = read(derive, snapshot, effectiveNow(snapshot, selectNow(clock.getSnapshot())))
        if (value === written && !isFirst) return
        written = value
        write(element, value)
      }
      update(true)
      return unitSubscriptionsOf(client, clock).subscribe(key, () => update(false))
    },
    [client, clock, key, derive, write],
  )
}

/** For the element that shows the whole unit: what is in it updates less often while it is scrolled out of view. */
export const useUnitVisibility = (key: string): RefCallback<HTMLElement> => {
  const client = useClient()
  const { clock } = useSystem()
  return useCallback(
    (element: HTMLElement) => unitSubscriptionsOf(client, clock).observe(key, element),
    [client, clock, key],
  )
}
