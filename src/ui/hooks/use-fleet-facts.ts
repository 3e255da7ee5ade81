import { useSyncExternalStore } from 'react'
import {
  NO_EXTRA_FACTS,
  updatedFacts,
  type ExtraFacts,
  type KnownFacts,
  type MachineFacts,
} from '../../folding/fleet/machine-facts.ts'
import { tagsOfMachine } from '../../folding/fleet/tags.ts'
import { shardedGet } from '../../folding/shared/sharded-map.ts'
import { isSameList } from '../../folding/shared/equal.ts'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { selectView } from '../../machines/connection/client/client.selectors.ts'
import { selectIncidents, selectOpenKindsOf } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { selectTags } from '../../machines/fleet/tags/tags.selectors.ts'
import { useSystem } from './system-context.ts'
import { knownHistory, knownPoints } from './use-ppd-history.ts'

/**
 * The facts of these machines, in this order; machines that have left the fleet are missing. Updated when the clock ticks,
 * four times a second, and when tags change. The same list while none of its machines changed, and the same object for each that did not.
 */
export const useFleetFacts = (ids: readonly string[]): readonly MachineFacts[] => {
  const store = fleetFactsOf(useSystem())
  return useSyncExternalStore(store.subscribe, () => store.read(ids))
}

export type FleetFacts = {
  /** Calls `listener` with each tick of the clock, and when tags changed. Returns how to unsubscribe. */
  readonly subscribe: (listener: () => void) => () => void
  /** Facts of these machines, in this order. The same list for the same `ids` while nothing changed. */
  readonly read: (ids: readonly string[]) => readonly MachineFacts[]
}

const stores = new WeakMap<System, FleetFacts>()

/** One store per system, shared by all who read facts. It does nothing without subscribers and readers. */
export const fleetFactsOf = (system: System): FleetFacts => {
  const known = stores.get(system)
  if (known !== undefined) return known
  const created = createFleetFacts(system)
  stores.set(system, created)
  return created
}

/** What is known about a machine from other sources. */
const extraFactsOf = (system: System, machine: string | undefined, now: number): ExtraFacts => {
  const points = knownPoints(system, machine, now)
  return {
    ...NO_EXTRA_FACTS,
    account: system.fleet.getSnapshot().context.environment.account,
    tags: tagsOfMachine(selectTags(system.tags.getSnapshot()), machine),
    incidents: selectOpenKindsOf(machine)(system.incidents.getSnapshot()),
    ...(points === undefined ? {} : { usualPpd: points.usualPpd, pointsDay: points.pointsDay }),
  }
}

/** Points of a day change with the time, a little. Milliseconds. */
const POINTS_INTERVAL = 60_000

/** Another list when extra facts of any machine may differ. */
const extraSources = (system: System, now: number): readonly unknown[] => [
  system.fleet.getSnapshot().context.environment.account,
  selectTags(system.tags.getSnapshot()),
  selectIncidents(system.incidents.getSnapshot()),
  knownHistory(system),
  Math.floor(now / POINTS_INTERVAL),
]

type Entry = { readonly known: KnownFacts; readonly sources: readonly unknown[]; readonly tick: number }

const createFleetFacts = (system: System): FleetFacts => {
  const listeners = new Set<() => void>()
  const known = new Map<string, Entry>()
  let sources: readonly unknown[] = []
  let lists = new WeakMap<readonly string[], { readonly facts: readonly MachineFacts[]; readonly tick: number }>()
  let lastMembers: object | undefined
  let tick = 0

  const isCurrent = (): boolean => listeners.size > 0

  const compute = (ids: readonly string[]): readonly MachineFacts[] => {
    const { members, reports } = system.fleet.getSnapshot().context
    const now = selectNow(system.clock.getSnapshot())
    const sourcesNow = extraSources(system, now)
    if (!isSameList(sources, sourcesNow)) sources = sourcesNow
    if (lastMembers !== members) for (const id of known.keys()) if (!Object.hasOwn(members, id)) known.delete(id)
    lastMembers = members
    const facts: MachineFacts[] = []
    for (const id of ids) {
      const before = known.get(id)
      if (before?.tick === tick && isCurrent()) {
        facts.push(before.known.facts)
        continue
      }
      const report = shardedGet(reports, id)
      const client = Object.hasOwn(members, id) ? members[id]?.ref : undefined
      if (report === undefined || client === undefined) continue
      const view = selectView(client.getSnapshot())
      const extra =
        before?.sources === sources && before.known.report === report
          ? before.known.extra
          : extraFactsOf(system, view.isDirect ? report.machine : id, now)
      const next = updatedFacts(before?.known, view, report, extra, now)
      known.set(id, { known: next, sources, tick })
      facts.push(next.facts)
    }
    return facts
  }

  const onTick = (): void => {
    tick += 1
    listeners.forEach(listener => listener())
  }

  let subscriptions: readonly { unsubscribe: () => void }[] = []

  return {
    subscribe(listener) {
      if (!isCurrent()) subscriptions = [system.clock.subscribe(onTick), system.tags.subscribe(onTick)]
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (isCurrent()) return
        for (const subscription of subscriptions) subscription.unsubscribe()
        subscriptions = []
        known.clear()
        lists = new WeakMap()
      }
    },
    read(ids) {
      const before = lists.get(ids)
      if (before?.tick === tick && isCurrent()) return before.facts
      const facts = compute(ids)
      const list = before !== undefined && isSameList(before.facts, facts) ? before.facts : facts
      lists.set(ids, { facts: list, tick })
      return list
    },
  }
}
