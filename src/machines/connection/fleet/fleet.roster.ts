import { orderMachines, replaceMachine, type MachineOrder, type Orderable } from '../../../folding/machine/order.ts'
import {
  shardedEntries,
  shardedGet,
  shardedSet,
  shardedDelete,
  shardedMapOf,
  type ShardedMap,
} from '../../../folding/shared/sharded-map.ts'
import { compareConnections, hiddenConnections, type ClientConnection } from '../../../folding/machine/connections.ts'
import type { ClientReport } from '../client/client.report.ts'
import { isSameList } from '../../../folding/shared/equal.ts'

type RosterEntry = Orderable & ClientConnection & { readonly rank: number }

/** By id. */
export type Roster = ShardedMap<RosterEntry>

/**
 * The roster with a client's report; the same roster when its position cannot have changed. `rank`: the position of a
 * direct client among these.
 */
export const rosterWith = (roster: Roster, id: string, isDirect: boolean, report: ClientReport, rank = 0): Roster => {
  const { name, isConnected, way, delay, machine, problem } = report
  const entry: RosterEntry = {
    id,
    isDirect,
    name,
    isConnected,
    kind: way,
    delay,
    rank,
    // Behind a relay the id is verified by the login; only a direct connection relies on the client's own report.
    machine: isDirect ? machine : id,
    problem,
    ppd: inSteps(report.summary.ppd),
  }
  return rosterWithEntry(roster, entry)
}

/** The roster with other ranks of its direct clients. */
export const rosterRanked = (roster: Roster, ranks: ReadonlyMap<string, number>): Roster =>
  entriesOf(roster)
    .filter(({ isDirect }) => isDirect)
    .reduce((ranked, entry) => rosterWithEntry(ranked, { ...entry, rank: ranks.get(entry.id) ?? 0 }), roster)

const rosterWithEntry = (roster: Roster, entry: RosterEntry): Roster => {
  const known = shardedGet(roster, entry.id)
  if (known !== undefined && isSame(known, entry)) return roster
  const next = shardedSet(roster, entry.id, entry)
  overviews.set(next, overviewAfter(overviewOf(roster), next, { before: known, after: entry }))
  return next
}

export const rosterWithout = (roster: Roster, ids: readonly string[]): Roster =>
  shardedDelete(
    roster,
    ids.filter(id => shardedGet(roster, id) !== undefined),
  )

/** Ids of the clients that are shown, in their order. The same list as long as nothing moved. */
export const shownIds = (roster: Roster, order: MachineOrder = 'usual'): readonly string[] => {
  const overview = overviewOf(roster)
  const known = overview.orders.get(order)
  if (known !== undefined) return known.shown
  const ordered = orderedAfter(overview, order) ?? orderedFrom(orderMachines(entriesOf(roster), order), overview.hidden)
  overview.orders.set(order, ordered)
  return ordered.shown
}

/** The other connections to the machine that is shown under this id, best first. */
export const otherConnections = (roster: Roster, id: string): readonly ClientConnection[] => {
  const entry = shardedGet(roster, id)
  if (entry?.machine === undefined) return []
  const direct = shardedGet(overviewOf(roster).direct, entry.machine) ?? []
  const relayed = relayedIn(roster, entry.machine)
  return [...direct, ...(relayed === undefined ? [] : [relayed])].filter(way => way.id !== id).sort(compareConnections)
}

/** Ids of clients that are hidden because a better connection to the same machine is shown. */
export const hiddenIds = (roster: Roster): ReadonlySet<string> => overviewOf(roster).hidden

/** All entries in one order, and the ids of those that are shown. */
type Ordered = { readonly entries: readonly RosterEntry[]; readonly shown: readonly string[] }

/** Data derived from a whole roster. */
type Overview = {
  /** Direct connections by the machine's own id. */
  readonly direct: ShardedMap<readonly RosterEntry[]>
  readonly hidden: ReadonlySet<string>
  /** The orders that were requested of this roster. */
  readonly orders: Map<MachineOrder, Ordered>
  readonly basis: Basis | undefined
}

/** Orders of an earlier roster, and what changed since; undefined when it is so much that all are to be sorted again. */
type Basis = {
  readonly orders: ReadonlyMap<MachineOrder, Ordered>
  readonly hidden: ReadonlySet<string>
  readonly changes: readonly Change[] | undefined
}
type Change = { readonly before: RosterEntry | undefined; readonly after: RosterEntry }

/** Each change copies the list. */
const MOST_CHANGES = 16

// While a thousand machines connect there are thousands of rosters, each differing in one entry from the one before.
const overviews = new WeakMap<Roster, Overview>()

const overviewOf = (roster: Roster): Overview => {
  const known = overviews.get(roster)
  if (known !== undefined) return known
  const byMachine = new Map<string, RosterEntry[]>()
  for (const entry of entriesOf(roster)) {
    if (!entry.isDirect || entry.machine === undefined) continue
    const others = byMachine.get(entry.machine)
    if (others === undefined) byMachine.set(entry.machine, [entry])
    else others.push(entry)
  }
  const hidden = new Set([...byMachine].flatMap(([machine, ways]) => hiddenBeside(ways, roster, machine)))
  const overview: Overview = { direct: shardedMapOf(byMachine), hidden, orders: new Map(), basis: undefined }
  overviews.set(roster, overview)
  return overview
}

const overviewAfter = (overview: Overview, roster: Roster, change: Change): Overview => {
  const { direct, hidden } = overview
  const { before, after } = change
  const directNow = after.isDirect ? directAfter(direct, before, after) : direct
  // The connections of other machines are as they were.
  const machines = machinesOf(before, after)
  const known = machines.flatMap(machine => [machine, ...(shardedGet(direct, machine) ?? []).map(({ id }) => id)])
  const hiddenHere = machines.flatMap(machine => hiddenBeside(shardedGet(directNow, machine) ?? [], roster, machine))
  const hiddenNow = replaced(hidden, known, hiddenHere)
  return { direct: directNow, hidden: hiddenNow, orders: new Map(), basis: basisAfter(overview, change) }
}

const basisAfter = ({ orders, hidden, basis }: Overview, change: Change): Basis | undefined => {
  if (orders.size > 0) return { orders, hidden, changes: [change] }
  if (basis?.changes === undefined) return basis
  return {
    ...basis,
    changes: basis.changes.length < MOST_CHANGES ? [...basis.changes, change] : undefined,
  }
}

const directAfter = (
  direct: Overview['direct'],
  before: RosterEntry | undefined,
  after: RosterEntry,
): Overview['direct'] =>
  machinesOf(before, after).reduce((map, machine) => {
    const others = (shardedGet(map, machine) ?? []).filter(({ id }) => id !== after.id)
    return shardedSet(map, machine, machine === after.machine ? [...others, after] : others)
  }, direct)

/** The machine of an entry, and the one that it was before. */
const machinesOf = (before: RosterEntry | undefined, after: RosterEntry): readonly string[] => [
  ...new Set([before?.machine, after.machine].flatMap(machine => machine ?? [])),
]

/** The set with these ids in place of those that it has of `known`. The same set if they are the same. */
const replaced = (set: ReadonlySet<string>, known: readonly string[], now: readonly string[]): ReadonlySet<string> => {
  const gone = known.filter(id => set.has(id) && !now.includes(id))
  const added = now.filter(id => !set.has(id))
  if (gone.length === 0 && added.length === 0) return set
  const next = new Set([...set, ...added])
  for (const id of gone) next.delete(id)
  return next
}

/** An order that follows from that of an earlier roster; undefined when all are to be sorted. */
const orderedAfter = ({ hidden, basis }: Overview, order: MachineOrder): Ordered | undefined => {
  const before = basis?.orders.get(order)
  if (before === undefined || basis?.changes === undefined) return undefined
  let { entries } = before
  let isSamePlace = hidden === basis.hidden
  for (const { before: old, after } of basis.changes) {
    const next = replaceMachine(entries, order, old, after)
    isSamePlace &&= old !== undefined && next[entries.indexOf(old)] === after
    entries = next
  }
  // Most reports move nothing: a list of thousands is made only when one does.
  return isSamePlace ? { entries, shown: before.shown } : orderedFrom(entries, hidden, before.shown)
}

const orderedFrom = (
  entries: readonly RosterEntry[],
  hidden: ReadonlySet<string>,
  before: readonly string[] = [],
): Ordered => {
  const shown: string[] = []
  for (const { id } of entries) if (!hidden.has(id)) shown.push(id)
  return { entries, shown: isSameList(shown, before) ? before : shown }
}

/** Ids of the connections to one machine that are hidden. */
const hiddenBeside = (direct: readonly RosterEntry[], roster: Roster, machine: string): readonly string[] => {
  const relayed = relayedIn(roster, machine)
  return hiddenConnections(relayed === undefined ? direct : [...direct, relayed])
}

/** The connection to a machine through the relay. */
const relayedIn = (roster: Roster, machine: string): RosterEntry | undefined => {
  const entry = shardedGet(roster, machine)
  return entry?.isDirect === false ? entry : undefined
}

const entriesOf = (roster: Roster): readonly RosterEntry[] => [...shardedEntries(roster)].map(([, entry]) => entry)

/** In steps of about 10 %, so that a machine does not change its position with every report. */
const inSteps = (ppd: number): number => (ppd <= 0 ? 0 : Math.round(Math.log2(ppd) * 8))

const isSame = (a: RosterEntry, b: RosterEntry): boolean =>
  a.name === b.name &&
  a.isConnected === b.isConnected &&
  a.kind === b.kind &&
  a.delay === b.delay &&
  a.rank === b.rank &&
  a.machine === b.machine &&
  a.problem === b.problem &&
  a.ppd === b.ppd
