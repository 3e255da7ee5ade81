import { orderMachines, replaceMachine, type MachineOrder, type Orderable } from '../../../folding/order.ts'
import { allOnShelves, onShelf, putOnShelf, takeFromShelves, type Shelves } from '../../../folding/shelves.ts'
import type { ClientReport } from '../client/client.meaning.ts'

type RosterEntry = Orderable & {
  readonly hasAddress: boolean
  /** The machine's own id. */
  readonly machine: string | undefined
}

/** By id. */
export type Roster = Shelves<RosterEntry>

/** The roster with what a client says of itself; the same roster when its place cannot have changed. */
export const rosterWith = (roster: Roster, id: string, isDirect: boolean, report: ClientReport): Roster => {
  const { name, isConnected, hasAddress, machine, problem } = report
  const entry: RosterEntry = {
    id,
    isDirect,
    name,
    isConnected,
    hasAddress,
    machine,
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

/**
 * Each machine once (product.md §4): directly while that works, else through the relay while that does; and directly
 * again when nothing but what it last said is known. So nobody is hidden but those beside a direct connection.
 */
const hiddenBeside = (direct: readonly RosterEntry[], roster: Roster): ReadonlySet<string> => {
  const hidden = new Set<string>()
  for (const { id, isConnected, hasAddress, machine } of direct) {
    const twin = machine === undefined ? undefined : onShelf(roster, machine)
    if (!isConnected && (!hasAddress || twin?.isConnected === true)) hidden.add(id)
    if (twin?.isDirect === false && (isConnected || !twin.isConnected)) hidden.add(twin.id)
  }
  return hidden
}

const entriesOf = (roster: Roster): readonly RosterEntry[] => [...allOnShelves(roster)].map(([, entry]) => entry)

/** In steps of about a tenth, so that a machine does not change its place with every report. */
const inSteps = (ppd: number): number => (ppd <= 0 ? 0 : Math.round(Math.log2(ppd) * 8))

const isSame = (a: RosterEntry, b: RosterEntry): boolean =>
  a.name === b.name &&
  a.isConnected === b.isConnected &&
  a.hasAddress === b.hasAddress &&
  a.machine === b.machine &&
  a.problem === b.problem &&
  a.ppd === b.ppd
