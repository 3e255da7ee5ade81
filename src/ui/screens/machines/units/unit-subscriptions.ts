import type { ClockRef } from '../../../../machines/app/clock/clock.machine.ts'
import type { ClientRef, ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { selectUnitDependencies, selectUnits } from '../../../../machines/connection/client/client.selectors.ts'
import { haveSameItems, selectUnit } from './unit-access.ts'

/** Subscriptions to single units of one client, by the unit's key. */
export type UnitSubscriptions = {
  /** Calls `listener` when the unit, its machine or the time has changed. Returns how to unsubscribe. */
  readonly subscribe: (key: string, listener: () => void) => () => void
  /**
   * While `element`, which shows the unit, is scrolled out of view, its listeners are called only when the clock ticks.
   * Returns how to stop observing.
   */
  readonly observe: (key: string, element: Element) => () => void
}

const byClient = new WeakMap<ClientRef, UnitSubscriptions>()

/** One instance per client, shared by all cells of its units. */
export const unitSubscriptionsOf = (client: ClientRef, clock: ClockRef): UnitSubscriptions => {
  const known = byClient.get(client)
  if (known !== undefined) return known
  const created = createUnitSubscriptions(client, clock)
  byClient.set(client, created)
  return created
}

/**
 * A client may report sixty times a second, but rarely about a given unit. Comparing units here, once per report, spares
 * every cell from being evaluated. Units out of view wait for the next clock tick.
 */
const createUnitSubscriptions = (client: ClientRef, clock: ClockRef): UnitSubscriptions => {
  const listeners = new Map<string, Set<() => void>>()
  const visibility = createVisibilityTracker(key => notify(key))
  let subscriptions: readonly { unsubscribe: () => void }[] = []
  let last = client.getSnapshot()

  const notify = (key: string): void => listeners.get(key)?.forEach(listener => listener())
  const notifyAll = (): void => [...listeners.keys()].forEach(notify)
  const onSnapshot = (snapshot: ClientSnapshot): void => {
    const before = last
    last = snapshot
    if (!haveSameItems(selectUnitDependencies(before), selectUnitDependencies(snapshot))) notifyAll()
    else if (selectUnits(before) !== selectUnits(snapshot))
      for (const key of [...listeners.keys()])
        if (!visibility.isOutOfView(key) && selectUnit(key)(before) !== selectUnit(key)(snapshot)) notify(key)
  }
  const start = (): void => {
    last = client.getSnapshot()
    subscriptions = [client.subscribe(onSnapshot), clock.subscribe(notifyAll)]
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
    observe: (key, element) => visibility.observe(key, element),
  }
}

/** Elements this close to the window's edge count as in view. */
const MARGIN = '10%'

/** Tracks which elements, each under its own key, are scrolled out of view. Calls `onEnter` when one comes back. */
const createVisibilityTracker = (onEnter: (key: string) => void) => {
  const keys = new Map<Element, string>()
  const outOfView = new Set<string>()
  const onIntersection = ({ target, isIntersecting }: IntersectionObserverEntry): void => {
    const key = keys.get(target)
    if (key === undefined) return
    if (!isIntersecting) outOfView.add(key)
    else if (outOfView.delete(key)) onEnter(key)
  }
  let observer: IntersectionObserver | undefined
  return {
    /** False until it is known. */
    isOutOfView: (key: string): boolean => outOfView.has(key),
    observe(key: string, element: Element): () => void {
      observer ??= new IntersectionObserver(entries => entries.forEach(onIntersection), { rootMargin: MARGIN })
      keys.set(element, key)
      observer.observe(element)
      return () => {
        keys.delete(element)
        outOfView.delete(key)
        observer?.unobserve(element)
      }
    },
  }
}
