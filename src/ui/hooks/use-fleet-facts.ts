import { useSyncExternalStore } from 'react'
import {
  createFactsReader,
  NO_EXTRA_FACTS,
  type FactsSource,
  type ClientFacts,
} from '../../folding/fleet/client-facts.ts'
import { tagsOfClient } from '../../folding/fleet/tags.ts'
import { clientKeyOf } from '../../folding/client/client.ts'
import { shardedGet } from '../../folding/shared/sharded-map.ts'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { isAwaited, selectView } from '../../machines/connection/client/client.selectors.ts'
import { selectOpenKindsOf } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { selectNotes } from '../../machines/fleet/processors/processors.selectors.ts'
import { selectTags } from '../../machines/fleet/tags/tags.selectors.ts'
import { isRelayPending } from './use-relay-pending.ts'
import { useSystem } from './system-context.ts'
import { knownPower } from '../power/power-code.ts'
import { knownPoints } from './use-ppd-history.ts'
import { whileSeen } from './while-seen.ts'

/**
 * The facts of these clients, in this order; clients that have left the fleet are missing. The same list while none of
 * its clients changed, and the same object for each that did not.
 */
export function useFleetFacts(ids: readonly string[]): readonly ClientFacts[] {
  const store = fleetFactsOf(useSystem())
  return useSyncExternalStore(store.subscribe, () => store.read(ids))
}

export type FleetFacts = {
  /** Calls `listener` with each tick of the clock, and when clients, tags or incidents changed. Returns how to unsubscribe. */
  readonly subscribe: (listener: () => void) => () => void
  /** Facts of these clients, in this order. The same list for the same `ids` while nothing changed. */
  readonly read: (ids: readonly string[]) => readonly ClientFacts[]
}

const stores = new WeakMap<System, FleetFacts>()

/** One store per system, shared by all who read facts. */
export function fleetFactsOf(system: System): FleetFacts {
  const cached = stores.get(system)
  if (cached !== undefined) return cached
  const created = createFleetFacts(system)
  stores.set(system, created)
  return created
}

/** What the facts of a client are computed from; undefined when it is not in the fleet. */
function sourceOf(system: System, isPending: boolean, id: string, now: number): FactsSource | undefined {
  const { members, reports, environment } = system.fleet.getSnapshot().context
  const report = shardedGet(reports, id)
  const client = Object.hasOwn(members, id) ? members[id]?.ref : undefined
  if (report === undefined || client === undefined) return undefined
  const snapshot = client.getSnapshot()
  const view = selectView(snapshot)
  const clientKey = clientKeyOf(view)
  return {
    view,
    report,
    extra: {
      ...NO_EXTRA_FACTS,
      account: environment.account,
      isAwaited: isAwaited(isPending)(snapshot),
      tags: tagsOfClient(selectTags(system.tags.getSnapshot()), clientKey),
      notes: selectNotes(clientKey)(system.processors.getSnapshot()),
      incidents: selectOpenKindsOf(clientKey)(system.incidents.getSnapshot()),
      ...knownPoints(system, clientKey, now),
      power: knownPower(system, view, now),
    },
  }
}

function createFleetFacts(system: System): FleetFacts {
  const isPendingNow = (): boolean => isRelayPending(system.account.getSnapshot(), system.relay.getSnapshot())
  let isPending = isPendingNow()
  const reader = createFactsReader((id, now) => sourceOf(system, isPending, id, now))
  const listeners = new Set<() => void>()
  let subscriptions: readonly { unsubscribe: () => void }[] = []
  let fresh = new WeakMap<readonly string[], readonly ClientFacts[]>()
  let isChanged = false

  // Hundreds of clients change in one task.
  const onChange = (): void => {
    fresh = new WeakMap()
    if (isChanged) return
    isChanged = true
    queueMicrotask(() => {
      isChanged = false
      listeners.forEach(listener => listener())
    })
  }

  const notePending = (): void => {
    if (isPendingNow() === isPending) return
    isPending = !isPending
    onChange()
  }

  return {
    subscribe: whileSeen(listener => {
      if (listeners.size === 0) {
        fresh = new WeakMap()
        isPending = isPendingNow()
        const { account, clock, fleet, relay, tags, incidents } = system
        subscriptions = [
          clock.subscribe(onChange),
          fleet.subscribe(onChange),
          tags.subscribe(onChange),
          incidents.subscribe(onChange),
          account.subscribe(notePending),
          relay.subscribe(notePending),
        ]
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const subscription of subscriptions) subscription.unsubscribe()
      }
    }),
    read(ids) {
      const cached = listeners.size === 0 ? undefined : fresh.get(ids)
      if (cached !== undefined) return cached
      const facts = reader.read(ids, selectNow(system.clock.getSnapshot()))
      fresh.set(ids, facts)
      return facts
    },
  }
}
