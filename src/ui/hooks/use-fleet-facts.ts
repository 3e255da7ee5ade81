import { useSyncExternalStore } from 'react'
import {
  NO_EXTRA_FACTS,
  updatedFacts,
  type ExtraFacts,
  type KnownFacts,
  type MachineFacts,
} from '../../folding/fleet/machine-facts.ts'
import { tagsOfMachine } from '../../folding/fleet/tags.ts'
import { machineKeyOf } from '../../folding/machine/client.ts'
import { shardedGet } from '../../folding/shared/sharded-map.ts'
import { isSameList } from '../../folding/shared/equal.ts'
import { selectNow } from '../../machines/app/clock/clock.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { selectView } from '../../machines/connection/client/client.selectors.ts'
import type { FleetSnapshot } from '../../machines/connection/fleet/fleet.machine.ts'
import { selectIncidents, selectOpenKindsOf } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { selectTags } from '../../machines/fleet/tags/tags.selectors.ts'
import { useSystem } from './system-context.ts'
import { knownHistory, knownPoints } from './use-ppd-history.ts'

/**
 * The facts of these machines, in this order; machines that have left the fleet are missing. Updated when the clock ticks,
 * four times a second, and when tags change. The same list while none of its machines changed, and the same object for each
 * that did not.
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

type FleetReports = FleetSnapshot['context']['reports']

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

/** What a person changes for many machines, who must see it at the next tick. */
const personalSources = (system: System): readonly unknown[] => [
  system.fleet.getSnapshot().context.environment.account,
  selectTags(system.tags.getSnapshot()),
]

/** Other sources of extra facts: in a large fleet one of them changes every second. */
const otherSources = (system: System, now: number): readonly unknown[] => [
  selectIncidents(system.incidents.getSnapshot()),
  knownHistory(system),
  Math.floor(now / POINTS_INTERVAL),
]

/** What changes with the time alone, and other sources, reach each machine within so many ticks. */
const TURNS = 10
/** At least so many machines have their turn with each tick. */
const LEAST_PER_TURN = 100
/** So many changes are remembered for lists that are not read with every tick. */
const MOST_CHANGES = 10_000

type Entry = { readonly known: KnownFacts; readonly personal: readonly unknown[]; readonly others: readonly unknown[] }

/** Facts of some machines, and which changes they include. */
type FactsList = {
  readonly facts: readonly MachineFacts[]
  readonly indexes: ReadonlyMap<string, number>
  /** Another number after machines joined or left. */
  readonly roster: number
  /** Position after the last change that is included. */
  readonly position: number
}

/**
 * With each tick only machines that reported something are looked at, and a part of the others in turn: looking at all of
 * thousands takes longer than all else that a tick does.
 */
const createFleetFacts = (system: System): FleetFacts => {
  const listeners = new Set<() => void>()
  const known = new Map<string, Entry>()
  let order: string[] = []
  let next = 0
  let roster = 0
  /** Machines whose facts changed, the latest last; `dropped` of them were forgotten. */
  let changes: string[] = []
  let dropped = 0
  let lists = new WeakMap<readonly string[], FactsList>()
  let personal: readonly unknown[] = []
  let others: readonly unknown[] = []
  let last: { readonly members: object; readonly reports: FleetReports } | undefined
  let isUpToDate = false
  let subscriptions: readonly { unsubscribe: () => void }[] = []

  const update = (id: string, now: number): void => {
    const { members, reports } = system.fleet.getSnapshot().context
    const report = shardedGet(reports, id)
    const client = Object.hasOwn(members, id) ? members[id]?.ref : undefined
    if (report === undefined || client === undefined) return
    const before = known.get(id)
    const view = selectView(client.getSnapshot())
    const extra =
      before?.personal === personal && before.others === others && before.known.report === report
        ? before.known.extra
        : extraFactsOf(system, machineKeyOf(view), now)
    const after = updatedFacts(before?.known, view, report, extra, now)
    if (before?.known === after && before.personal === personal && before.others === others) return
    known.set(id, { known: after, personal, others })
    if (before === undefined) {
      order.push(id)
      roster += 1
    } else if (before.known.facts !== after.facts) changes.push(id)
  }

  const updateAll = (): void => {
    const { members, reports } = system.fleet.getSnapshot().context
    const now = selectNow(system.clock.getSnapshot())
    const [personalNow, othersNow] = [personalSources(system), otherSources(system, now)]
    const isOther = !isSameList(personal, personalNow)
    if (isOther) personal = personalNow
    if (!isSameList(others, othersNow)) others = othersNow
    const haveOthers = last?.members !== members
    if (haveOthers) {
      order = order.filter(id => Object.hasOwn(members, id) || !known.delete(id))
      roster += 1
    }
    reports.forEach((shard, at) => {
      if (!haveOthers && !isOther && last?.reports[at] === shard) return
      for (const [id, report] of shard) if (isOther || known.get(id)?.known.report !== report) update(id, now)
    })
    last = { members, reports }
    const turns = Math.min(order.length, Math.max(LEAST_PER_TURN, Math.ceil(order.length / TURNS)))
    for (let turn = 0; turn < turns; turn++) {
      next = (next + 1) % order.length
      update(order[next] ?? '', now)
    }
    if (changes.length > MOST_CHANGES) {
      dropped += changes.length
      changes = []
    }
  }

  const listOf = (ids: readonly string[]): FactsList => {
    const now = selectNow(system.clock.getSnapshot())
    const facts: MachineFacts[] = []
    const indexes = new Map<string, number>()
    for (const id of ids) {
      // It joined after the tick.
      if (!known.has(id)) update(id, now)
      const entry = known.get(id)
      if (entry === undefined) continue
      indexes.set(id, facts.length)
      facts.push(entry.known.facts)
    }
    return { facts, indexes, roster, position: dropped + changes.length }
  }

  const updatedList = (list: FactsList): FactsList => {
    let facts: MachineFacts[] | undefined
    for (let at = list.position - dropped; at < changes.length; at++) {
      const id = changes[at] ?? ''
      const index = list.indexes.get(id)
      const entry = known.get(id)
      if (index === undefined || entry === undefined || list.facts[index] === entry.known.facts) continue
      facts ??= [...list.facts]
      facts[index] = entry.known.facts
    }
    return { ...list, facts: facts ?? list.facts, position: dropped + changes.length }
  }

  const clear = (): void => {
    for (const subscription of subscriptions) subscription.unsubscribe()
    subscriptions = []
    known.clear()
    order = []
    last = undefined
    lists = new WeakMap()
    roster += 1
  }

  const onTick = (): void => {
    isUpToDate = false
    if (listeners.size === 0) clear()
    listeners.forEach(listener => listener())
  }

  return {
    subscribe(listener) {
      if (subscriptions.length === 0) subscriptions = [system.clock.subscribe(onTick), system.tags.subscribe(onTick)]
      listeners.add(listener)
      // What is known stays until the next tick: one screen takes the place of another in the meantime.
      return () => void listeners.delete(listener)
    },
    read(ids) {
      if (!isUpToDate || subscriptions.length === 0) updateAll()
      isUpToDate = true
      const before = lists.get(ids)
      if (before?.roster === roster && before.position === dropped + changes.length) return before.facts
      const list = before?.roster === roster && before.position >= dropped ? updatedList(before) : listOf(ids)
      const isSame = before !== undefined && isSameList(before.facts, list.facts)
      lists.set(ids, isSame ? { ...list, facts: before.facts } : list)
      return isSame ? before.facts : list.facts
    },
  }
}
