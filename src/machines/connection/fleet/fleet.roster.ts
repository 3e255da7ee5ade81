import { orderMachines, replaceMachine, type MachineOrder, type Orderable } from '../../../folding/machine/order.ts'
import {
  allOnShelves,
  onShelf,
  putOnShelf,
  takeFromShelves,
  type Shelves,
} from '../../../folding/shared/sharded-map.ts'
import { compareWays, hiddenWays, type Way } from '../../../folding/machine/connections.ts'
import type { ClientReport } from '../client/client.report.ts'

type RosterEntry = Orderable & Way

/** By id. */
export type Roster = Shelves<RosterEntry>

/** The roster with what a client says of itself; the same roster when its place cannot have changed. */
export const rosterWith = (roster: Roster, id: string, isDirect: boolean, report: ClientReport): Roster => {
  const { name, isConnected, way, machine, problem } = report
  const entry: RosterEntry = {
    id,
    isDirect,
    name,
    isConnected,
    way,
    // A relay has verified whose login it was; what the client says of itself decides for direct connections alone.
    machine: isDirect ? machine : id,
    problem,
    ppd: inSteps(report.summary.ppd),
  }
  const known = onShelf(roster, id)
  if (known !== undefined && isSame(known, entry)) return roster
  const next = putOnShelf(roster, id, entry)
  overviews.set(next, overviewAfter(overviewOf(roster), next, known, entry))
  return next
}

export const rosterWithout = (roster: Roster, ids: readonly string[]): Roster =>
  takeFromShelves(
    roster,
    ids.filter(id => onShelf(roster, id) !== undefined),
  )

/** Ids of the clients that are shown, in their order. The same list as long as nothing moved. */
export const shownIds = (roster: Roster, order: MachineOrder = 'usual'): readonly string[] => {
  const { orders, hidden } = overviewOf(roster)
  const known = orders.get(order) ?? orderedFrom(orderMachines(entriesOf(roster), order), hidden)
  orders.set(order, known)
  return known.shown
}

/** All ways to the machine that is shown under this id, or would be, by which it is not shown: the better first. */
export const otherWays = (roster: Roster, id: string): readonly Way[] => {
  const entry = onShelf(roster, id)
  if (entry?.machine === undefined) return []
  const { direct } = overviewOf(roster)
  const relayed = onShelf(roster, entry.machine)
  return [...direct, ...(relayed?.isDirect === false ? [relayed] : [])]
    .filter(way => way.id !== id && way.machine === entry.machine)
    .sort(compareWays)
}

/** Ids of the clients that are not shown, since they are there in another way. */
export const hiddenIds = (roster: Roster): ReadonlySet<string> => overviewOf(roster).hidden

/** Everybody in one order, and the ids of those who are shown. */
type Ordered = { readonly entries: readonly RosterEntry[]; readonly shown: readonly string[] }

/** What follows from a roster as a whole. */
type Overview = {
  readonly direct: readonly RosterEntry[]
  readonly hidden: ReadonlySet<string>
  /** Those that somebody asked for. */
  readonly orders: Map<MachineOrder, Ordered>
}

// While a thousand machines connect there are thousands of rosters, each with one other entry than the one before.
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
  { direct, orders }: Overview,
  roster: Roster,
  before: RosterEntry | undefined,
  after: RosterEntry,
): Overview => {
  const directNow = after.isDirect ? [...direct.filter(entry => entry !== before), after] : direct
  const hidden = hiddenBeside(directNow, roster)
  const ordersNow = [...orders].map(
    ([order, { entries, shown }]) =>
      [order, orderedFrom(replaceMachine(entries, order, before, after), hidden, shown)] as const,
  )
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

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

const hiddenBeside = (direct: readonly RosterEntry[], roster: Roster): ReadonlySet<string> =>
  hiddenWays(direct, machine => {
    const twin = onShelf(roster, machine)
    return twin?.isDirect === false ? twin : undefined
  })

const entriesOf = (roster: Roster): readonly RosterEntry[] => [...allOnShelves(roster)].map(([, entry]) => entry)

/** In steps of about a tenth, so that a machine does not change its place with every report. */
const inSteps = (ppd: number): number => (ppd <= 0 ? 0 : Math.round(Math.log2(ppd) * 8))

const isSame = (a: RosterEntry, b: RosterEntry): boolean =>
  a.name === b.name &&
  a.isConnected === b.isConnected &&
  a.way === b.way &&
  a.machine === b.machine &&
  a.problem === b.problem &&
  a.ppd === b.ppd
