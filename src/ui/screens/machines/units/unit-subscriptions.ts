import type { ClockRef } from '../../../../machines/app/clock/clock.machine.ts'
import type { ClientRef, ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { createSight } from './visibility.ts'
import { selectUnit } from './unit-access.ts'

/** Tells whoever shows a unit when to look again. */
export type UnitSubscriptions = {
  readonly subscribe: (key: string, listener: () => void) => () => void
  /** Has the unit that `element` shows told of only as often as the clock ticks, while that is out of sight. Returns how to end it. */
  readonly place: (key: string, element: Element) => () => void
}

const boards = new WeakMap<ClientRef, UnitSubscriptions>()

/** One board a client, however many cells its units have. */
export const unitSubscriptionsOf = (client: ClientRef, clock: ClockRef): UnitSubscriptions => {
  const known = boards.get(client)
  if (known !== undefined) return known
  const made = createUnitSubscriptions(client, clock)
  boards.set(client, made)
  return made
}

/**
 * A machine says something sixty times a second, but seldom about one unit: its cells are told only when the unit, the
 * machine or the time has changed. Nobody sees what is scrolled away: that waits for the clock's next tick.
 */
const createUnitSubscriptions = (client: ClientRef, clock: ClockRef): UnitSubscriptions => {
  const listeners = new Map<string, Set<() => void>>()
  const sight = createSight(key => tell(key))
  let subscriptions: readonly { unsubscribe: () => void }[] = []
  let last = client.getSnapshot()

  const tell = (key: string): void => listeners.get(key)?.forEach(listener => listener())
  const tellAll = (): void => [...listeners.keys()].forEach(tell)
  const follow = (snapshot: ClientSnapshot): void => {
    const before = last
    last = snapshot
    if (!isSameMachine(before, snapshot)) tellAll()
    else if (before.context.record.data?.units !== snapshot.context.record.data?.units)
      for (const key of [...listeners.keys()])
        if (!sight.isFar(key) && selectUnit(key)(before) !== selectUnit(key)(snapshot)) tell(key)
  }
  const start = (): void => {
    last = client.getSnapshot()
    subscriptions = [client.subscribe(follow), clock.subscribe(tellAll)]
  }
  const stop = (): void => {
    for (const subscription of subscriptions) subscription.unsubscribe()
    subscriptions = []
  }

  return {
    subscribe(key, listener) {
      if (listeners.size === 0) start()
      const ofUnit = listeners.get(key) ?? new Set()
      listeners.set(key, ofUnit.add(listener))
      return () => {
        ofUnit.delete(listener)
        if (ofUnit.size === 0 && listeners.get(key) === ofUnit) listeners.delete(key)
        if (listeners.size === 0) stop()
      }
    },
    place: (key, element) => sight.place(key, element),
  }
}

const isSameMachine = (a: ClientSnapshot, b: ClientSnapshot): boolean => {
  const [one, other] = [a.context, b.context]
  return (
    one.connectedAt === other.connectedAt &&
    one.name === other.name &&
    one.record.data?.groups === other.record.data?.groups &&
    one.record.data?.info === other.record.data?.info
  )
}
