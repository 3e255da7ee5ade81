import { orderClients, replaceClient, type ListingOrder, type Orderable } from '../../../folding/client/order.ts'
import {
  shardedEntries,
  shardedGet,
  shardedSet,
  shardedDelete,
  shardedMapOf,
  type ShardedMap,
} from '../../../folding/shared/sharded-map.ts'
import { compareConnections, hiddenConnections, type ClientConnection } from '../../../folding/client/connections.ts'
import { type Namesake } from '../../../folding/client/identity.ts'
import { isOtherComputer, clientKey, type CloneKind, type Clones } from '../../../folding/client/client-key.ts'
import type { ClientReport } from '../client/client.events.ts'
import { isSameList, isSameValue } from '../../../folding/shared/equal.ts'

export type RosterEntry = Orderable &
  ClientConnection & {
    readonly rank: number
    /** Its name, which other clients may have too. */
    readonly ownName: string
    /** The client's own id, which other computers may have too. */
    readonly ownId: string | undefined
    /** Whether a person put it away. */
    readonly isPutAway?: boolean
  } & Pick<Namesake, 'address' | 'traits'>

/** By id. */
export type Roster = ShardedMap<RosterEntry>

/**
 * The roster with a client's report; the same roster when its position cannot have changed. `rank`: the position of a
 * direct client among these. `clones`: ids that several computers have.
 */
export function rosterWith(
  roster: Roster,
  id: string,
  isDirect: boolean,
  report: ClientReport,
  { rank = 0, clones = {} }: { readonly rank?: number | undefined; readonly clones?: Clones } = {},
): Roster {
  const { name, ownName, isConnected, way, delay, machine: client, problem, address, traits } = report
  // Behind a relay the id is verified by the login; only a direct connection relies on the client's own report.
  const ownId = isDirect ? client : id
  const entry: RosterEntry = {
    id,
    isDirect,
    name,
    ownName,
    ownId,
    address,
    traits,
    isConnected,
    isRecent: report.goneSince !== undefined,
    kind: way,
    delay,
    rank,
    machine: ownId === undefined ? undefined : keyIn(roster, { id, ownId, traits }, clones[ownId]),
    problem,
    ppd: inSteps(report.summary.ppd + report.summary.recentPpd),
    isPutAway: report.isPutAway === true,
  }
  return rosterWithEntry(roster, entry)
}

/** The key of a connection's client; while nothing is known of its computer, that of another one with its id. */
function keyIn(
  roster: Roster,
  { id, ownId, traits }: Pick<RosterEntry, 'id' | 'traits'> & { readonly ownId: string },
  kind: CloneKind | undefined,
): string {
  return (
    clientKey(ownId, id, traits, kind) ??
    connectionsOf(roster, ownId)
      .flatMap(other => (other.id === id ? [] : (clientKey(ownId, other.id, other.traits, kind) ?? [])))
      .sort()[0] ??
    ownId
  )
}

/** The roster after it became known that several computers have an id. */
export function rosterWithClones(roster: Roster, ownId: string, kind: CloneKind): Roster {
  return connectionsOf(roster, ownId).reduce(
    (result, entry) => rosterWithEntry(result, { ...entry, machine: keyIn(roster, { ...entry, ownId }, kind) }),
    roster,
  )
}

/** All connections to clients with this id. */
export function connectionsOf(roster: Roster, ownId: string): readonly RosterEntry[] {
  const relayed = relayedIn(roster, ownId)
  const direct = shardedGet(overviewOf(roster).direct, ownId) ?? []
  return relayed === undefined ? direct : [...direct, relayed]
}

/** All connections to clients of this name. */
export function entriesNamed(roster: Roster, ownName: string): readonly RosterEntry[] {
  return shardedGet(overviewOf(roster).named, ownName) ?? []
}

/** Whether clients that are connected at the same time are known to run on different computers. */
export function runsElsewhereToo(roster: Roster, { id, ownId, isConnected, traits }: RosterEntry): boolean {
  return (
    ownId !== undefined &&
    isConnected &&
    connectionsOf(roster, ownId).some(
      other => other.id !== id && other.isConnected && isOtherComputer(other.traits, traits),
    )
  )
}

/** The processes of the connected clients with this id, if they are not the same. */
export function differentProcesses(roster: Roster, ownId: string): string | undefined {
  const connected = connectionsOf(roster, ownId).filter(
    ({ isConnected, traits }) => isConnected && traits.pid !== undefined,
  )
  const pids = new Set(connected.map(({ traits }) => traits.pid))
  return pids.size < 2 ? undefined : JSON.stringify(connected.map(({ id, traits }) => [id, traits.pid]).sort())
}

/** The roster with other ranks of its direct clients. */
export function rosterRanked(roster: Roster, ranks: ReadonlyMap<string, number>): Roster {
  return entriesOf(roster)
    .filter(({ isDirect }) => isDirect)
    .reduce((ranked, entry) => rosterWithEntry(ranked, { ...entry, rank: ranks.get(entry.id) ?? 0 }), roster)
}

function rosterWithEntry(roster: Roster, entry: RosterEntry): Roster {
  const existing = shardedGet(roster, entry.id)
  if (existing !== undefined && isSameValue(existing, entry)) return roster
  const next = shardedSet(roster, entry.id, entry)
  overviews.set(next, overviewAfter(overviewOf(roster), next, { before: existing, after: entry }))
  return next
}

export function rosterWithout(roster: Roster, ids: readonly string[]): Roster {
  return shardedDelete(
    roster,
    ids.filter(id => shardedGet(roster, id) !== undefined),
  )
}

/** Ids of the clients that are shown, in their order. The same list as long as nothing moved. */
export function shownIds(roster: Roster, order: ListingOrder = 'usual'): readonly string[] {
  const overview = overviewOf(roster)
  const cached = overview.orders.get(order)
  if (cached !== undefined) return cached.shown
  const ordered = orderedAfter(overview, order) ?? orderedFrom(orderClients(entriesOf(roster), order), overview.hidden)
  overview.orders.set(order, ordered)
  return ordered.shown
}

/** The other connections to the client that is shown under this id, best first. */
export function otherConnections(roster: Roster, id: string): readonly ClientConnection[] {
  const entry = shardedGet(roster, id)
  if (entry?.ownId === undefined) return []
  return connectionsOf(roster, entry.ownId)
    .filter(way => way.id !== id && way.machine === entry.machine)
    .sort(compareConnections)
}

/** Ids of connections that are hidden because a better one to the same client is shown, or because a person put it away. */
export function hiddenIds(roster: Roster): ReadonlySet<string> {
  return overviewOf(roster).hidden
}

/** All entries in one order, and the ids of those that are shown. */
type Ordered = { readonly entries: readonly RosterEntry[]; readonly shown: readonly string[] }

type Index = ShardedMap<readonly RosterEntry[]>

/** Data derived from a whole roster. */
type Overview = {
  /** Direct connections by the client's own id. */
  readonly direct: Index
  /** All connections by the client's own name. */
  readonly named: Index
  readonly hidden: ReadonlySet<string>
  /** The orders that were requested of this roster. */
  readonly orders: Map<ListingOrder, Ordered>
  readonly basis: Basis | undefined
}

/** Orders of an earlier roster, and what changed since; undefined when it is so much that all are to be sorted again. */
type Basis = {
  readonly orders: ReadonlyMap<ListingOrder, Ordered>
  readonly hidden: ReadonlySet<string>
  readonly changes: readonly Change[] | undefined
}
type Change = { readonly before: RosterEntry | undefined; readonly after: RosterEntry }

/** Each change copies the list. */
const MOST_CHANGES = 16

// While a thousand clients connect there are thousands of rosters, each differing in one entry from the one before.
const overviews = new WeakMap<Roster, Overview>()

function overviewOf(roster: Roster): Overview {
  const cached = overviews.get(roster)
  if (cached !== undefined) return cached
  const byId = new Map<string, RosterEntry[]>()
  const byName = new Map<string, RosterEntry[]>()
  const add = (index: Map<string, RosterEntry[]>, key: string, entry: RosterEntry): void => {
    const others = index.get(key)
    if (others === undefined) index.set(key, [entry])
    else others.push(entry)
  }
  for (const entry of entriesOf(roster)) {
    add(byName, entry.ownName, entry)
    if (entry.isDirect && entry.ownId !== undefined) add(byId, entry.ownId, entry)
  }
  const hidden = new Set([
    ...[...byId].flatMap(([ownId, ways]) => hiddenBeside(ways, roster, ownId)),
    ...putAwayAmong(entriesOf(roster)),
  ])
  const overview: Overview = {
    direct: shardedMapOf(byId),
    named: shardedMapOf(byName),
    hidden,
    orders: new Map(),
    basis: undefined,
  }
  overviews.set(roster, overview)
  return overview
}

function overviewAfter(overview: Overview, roster: Roster, change: Change): Overview {
  const { direct, named, hidden } = overview
  const { before, after } = change
  const directNow = after.isDirect ? indexAfter(direct, before?.ownId, after.ownId, after) : direct
  // The connections of other clients are as they were.
  const ids = changedKeys(before?.ownId, after.ownId)
  const affected = ids.flatMap(ownId => [ownId, ...(shardedGet(direct, ownId) ?? []).map(({ id }) => id)])
  const hiddenHere = ids.flatMap(ownId => hiddenBeside(shardedGet(directNow, ownId) ?? [], roster, ownId))
  return {
    direct: directNow,
    named: indexAfter(named, before?.ownName, after.ownName, after),
    hidden: replaced(hidden, affected, hiddenHere),
    orders: new Map(),
    basis: basisAfter(overview, change),
  }
}

function basisAfter({ orders, hidden, basis }: Overview, change: Change): Basis | undefined {
  if (orders.size > 0) return { orders, hidden, changes: [change] }
  if (basis?.changes === undefined) return basis
  return {
    ...basis,
    changes: basis.changes.length < MOST_CHANGES ? [...basis.changes, change] : undefined,
  }
}

/** An index after an entry was added or replaced. `from`: under which key it was. */
function indexAfter(index: Index, from: string | undefined, to: string | undefined, after: RosterEntry): Index {
  return changedKeys(from, to).reduce((map, key) => {
    const others = (shardedGet(map, key) ?? []).filter(({ id }) => id !== after.id)
    return shardedSet(map, key, key === to ? [...others, after] : others)
  }, index)
}

function changedKeys(from: string | undefined, to: string | undefined): readonly string[] {
  return [...new Set([from, to].flatMap(key => key ?? []))]
}

/** The set with these ids in place of those that it has of `affected`. The same set if they are the same. */
function replaced(set: ReadonlySet<string>, affected: readonly string[], now: readonly string[]): ReadonlySet<string> {
  const gone = affected.filter(id => set.has(id) && !now.includes(id))
  const added = now.filter(id => !set.has(id))
  if (gone.length === 0 && added.length === 0) return set
  const next = new Set([...set, ...added])
  for (const id of gone) next.delete(id)
  return next
}

/** An order that follows from that of an earlier roster; undefined when all are to be sorted. */
function orderedAfter({ hidden, basis }: Overview, order: ListingOrder): Ordered | undefined {
  const before = basis?.orders.get(order)
  if (before === undefined || basis?.changes === undefined) return undefined
  let { entries } = before
  let isSamePlace = hidden === basis.hidden
  for (const { before: old, after } of basis.changes) {
    const next = replaceClient(entries, order, old, after)
    isSamePlace &&= old !== undefined && next[entries.indexOf(old)] === after
    entries = next
  }
  // Most reports move nothing: a list of thousands is made only when one does.
  return isSamePlace ? { entries, shown: before.shown } : orderedFrom(entries, hidden, before.shown)
}

function orderedFrom(
  entries: readonly RosterEntry[],
  hidden: ReadonlySet<string>,
  before: readonly string[] = [],
): Ordered {
  const shown: string[] = []
  for (const { id } of entries) if (!hidden.has(id)) shown.push(id)
  return { entries, shown: isSameList(shown, before) ? before : shown }
}

/** Ids of the connections to clients of one id that are hidden. */
function hiddenBeside(direct: readonly RosterEntry[], roster: Roster, ownId: string): readonly string[] {
  const relayed = relayedIn(roster, ownId)
  const ways = relayed === undefined ? direct : [...direct, relayed]
  const clients = [...new Set(ways.map(({ machine: client }) => client))]
  return [
    ...clients.flatMap(key => hiddenConnections(ways.filter(({ machine: client }) => client === key))),
    ...putAwayAmong(ways),
  ]
}

function putAwayAmong(entries: readonly RosterEntry[]): readonly string[] {
  return entries.flatMap(({ id, isPutAway }) => (isPutAway === true ? id : []))
}

/** The connection to a client through the relay. */
function relayedIn(roster: Roster, ownId: string): RosterEntry | undefined {
  const entry = shardedGet(roster, ownId)
  return entry?.isDirect === false ? entry : undefined
}

function entriesOf(roster: Roster): readonly RosterEntry[] {
  return [...shardedEntries(roster)].map(([, entry]) => entry)
}

/** In steps of about 10 %, so that a client does not change its position with every report. */
function inSteps(ppd: number): number {
  return ppd <= 0 ? 0 : Math.round(Math.log2(ppd) * 8)
}
