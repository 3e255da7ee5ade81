import { createContext, use, useSyncExternalStore } from 'react'
import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type { ArchivedUnit } from '../../../folding/unit/history.ts'
import { creditsKey } from '../../../folding/shared/resource-keys.ts'
import { unitNameOf } from '../../../folding/unit/unit-progress.ts'
import type { UnitContext } from '../../../folding/unit/unit-column.ts'
import { archivedUnitContext } from '../../../folding/unit/unit-rows.ts'
import type { ClockRef } from '../../../machines/app/clock/clock.machine.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'
import { effectiveNow, subscribeAt, type Primitive } from '../../hooks/client-context.ts'
import { contextOf, selectUnit, unitKey } from '../machines/units/unit-access.ts'

/** The unit that a screen shows, from a client or from the history. */
export type UnitSource = {
  readonly subscribe: (listener: () => void) => () => void
  /** The unit and its context now; undefined when it is gone. */
  readonly read: () => { readonly unit: Unit; readonly context: UnitContext } | undefined
}

const UnitSourceContext = createContext<UnitSource | undefined>(undefined)
export const UnitSourceProvider = UnitSourceContext.Provider

export function useUnitSource(): UnitSource {
  const source = use(UnitSourceContext)
  if (source === undefined) throw new Error('useUnitSource needs a UnitSourceProvider.')
  return source
}

/** One value of the unit. Renders again only when the value differs. */
export function useUnitValue<T extends Primitive>(derive: (unit: Unit, context: UnitContext) => T): T | undefined {
  const source = useUnitSource()
  return useSyncExternalStore(source.subscribe, () => {
    const found = source.read()
    return found === undefined ? undefined : derive(found.unit, found.context)
  })
}

/** The resource key of the unit's credits; undefined while the unit has no run, clone and gen. */
export function useCreditsKey(): ReturnType<typeof creditsKey> | undefined {
  return useUnitValue(unit => {
    const name = unitNameOf(unit)
    return name === undefined ? undefined : creditsKey(name)
  })
}

/** The key of a unit within its client, by its id; undefined when the client has no such unit. */
export function selectKeyOf(id: string) {
  return (snapshot: ClientSnapshot): string | undefined => {
    const units = selectUnits(snapshot)
    const index = units.findIndex(unit => unit.id === id)
    const unit = units[index]
    return unit === undefined ? undefined : unitKey(unit, index)
  }
}

export function liveUnitSource(client: ClientRef, clock: ClockRef, key: string): UnitSource {
  const find = selectUnit(key)
  return {
    subscribe: subscribeAt(client, clock),
    read: () => {
      const snapshot = client.getSnapshot()
      const unit = find(snapshot)
      return unit === undefined
        ? undefined
        : { unit, context: contextOf(snapshot, effectiveNow(snapshot, selectNow(clock.getSnapshot()))) }
    },
  }
}

/** A unit of the history: only the time changes. */
export function storedUnitSource(
  { unit }: ArchivedUnit,
  client: ArchivedClient | undefined,
  clock: ClockRef,
): UnitSource {
  return {
    subscribe: listener => {
      const subscription = clock.subscribe(listener)
      return () => subscription.unsubscribe()
    },
    read: () => ({ unit, context: archivedUnitContext(client, selectNow(clock.getSnapshot())) }),
  }
}
