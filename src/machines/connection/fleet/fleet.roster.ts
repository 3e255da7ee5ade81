import { orderMachines, replaceMachine, type MachineOrder, type Orderable } from '../../../folding/machine/order.ts'
import {
  shardedEntries,
  shardedGet,
  shardedSet,
  shardedDelete,
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
  overviewOf(roster).direct.reduce(
    (ranked, entry) => rosterWithEntry(ranked, { ...entry, rank: ranks.get(entry.id) ?? 0 }),
    roster,
  )

const rosterWithEntry = (roster: Roster, entry: RosterEntry): Roster => {
  const known = shardedGet(roster, entry.id)
  if (known !== undefined && isSame(known, entry)) return roster
  const next = shardedSet(roster, entry.id, entry)
  overviews.set(next, overviewAfter(overviewOf(roster), next, known, entry))
  return next
}

export const rosterWithout = (roster: Roster, ids: readonly string[]): Roster =>
  shardedDelete(
    roster,
    ids.filter(id => shardedGet(roster, id) !== undefined),
  )

/** Ids of the clients that are shown, in their order. The same list as long as nothing moved. */
export const shownIds = (roster: Roster, order: MachineOrder = 'usual'): readonly string[] => {
  const { orders, hidden } = overviewOf(roster)
  const known = orders.get(order) ?? orderedFrom(orderMachines(entriesOf(roster), order), hidden)
  orders.set(order, known)
  return known.shown
}

/** The other connections to the machine that is shown under this id, best first. */
export const otherConnections = (roster: Roster, id: string): readonly ClientConnection[] => {
  const entry = shardedGet(roster, id)
  if (entry?.machine === undefined) return []
  const { direct } = overviewOf(roster)
  const relayed = shardedGet(roster, entry.machine)
  return [...direct, ...(relayed?.isDirect === false ? [relayed] : [])]
    .filter(way => way.id !== id && way.machine === entry.machine)
    .sort(compareConnections)
}

/** Ids of clients that are hidden because a better connection to the same machine is shown. */
export const hiddenIds = (roster: Roster): ReadonlySet<string> => overviewOf(roster).hidden

/** All entries in one order, and the ids of those that are shown. */
type Ordered = { readonly entries: readonly RosterEntry[]; readonly shown: readonly string[] }

/** Data derived from a whole roster. */
type Overview = {
  readonly direct: readonly RosterEntry[]
  readonly hidden: ReadonlySet<string>
  /** The orders that were requested so far. */
  readonly orders: Map<MachineOrder, Ordered>
}

// While a thousand machines connect there are thousands of rosters, each differing in one entry from the one before.
const overviews = new WeakMap<Roster, Overview>()

const overviewOf = (roster: Roster): Overview => {
  const known = overviews.get(roster)
  if (known !== undefined) return known
  const direct = entriesOf(roster).filter(({ isDirect }) => isDirect)
  const overview: Overview = { direct, hidden: hiddenBeside(direct, roster), orders: new Map() }
  overviews.set(roster, overview)
  return overview
}

const overviewAfter = (
  { direct, orders, hidden: hiddenBefore }: Overview,
  roster: Roster,
  before: RosterEntry | undefined,
  after: RosterEntry,
): Overview => {
  const directNow = after.isDirect ? [...direct.filter(entry => entry !== before), after] : direct
  const hidden = hiddenBeside(directNow, roster)
  const isSameHidden = hidden.size === hiddenBefore.size && [...hidden].every(id => hiddenBefore.has(id))
  const ordersNow = [...orders].map(([order, { entries, shown }]) => {
    const next = replaceMachine(entries, order, before, after)
    // Most reports move nothing: a list of thousands is made only when one does.
    const isSamePlace = isSameHidden && before !== undefined && next[entries.indexOf(before)] === after
    return [order, isSamePlace ? { entries: next, shown } : orderedFrom(next, hidden, shown)] as const
  })
  return { direct: directNow, hidden, orders: new Map(ordersNow) }
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

const hiddenBeside = (direct: readonly RosterEntry[], roster: Roster): ReadonlySet<string> =>
  hiddenConnections(direct, machine => {
    const twin = shardedGet(roster, machine)
    return twin?.isDirect === false ? twin : undefined
  })

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
