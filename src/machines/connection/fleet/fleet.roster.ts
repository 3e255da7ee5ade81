import { orderMachines, type MachineOrder, type Orderable } from '../../../folding/order.ts'
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
  const entry: RosterEntry = { id, isDirect, name, isConnected, hasAddress, machine, problem, ppd: inSteps(report.summary.ppd) }
  const known = onShelf(roster, id)
  return known !== undefined && isSame(known, entry) ? roster : putOnShelf(roster, id, entry)
}

export const rosterWithout = (roster: Roster, ids: readonly string[]): Roster =>
  takeFromShelves(roster, ids.filter(id => onShelf(roster, id) !== undefined))

const orders = new WeakMap<Roster, Map<MachineOrder, readonly string[]>>()

/** Ids of the clients that are shown, in their order. The same list for the same roster. */
export const shownIds = (roster: Roster, order: MachineOrder = 'usual'): readonly string[] => {
  const known = orders.get(roster) ?? new Map<MachineOrder, readonly string[]>()
  orders.set(roster, known)
  const ids = known.get(order) ?? orderMachines(shownOf(roster), order).map(({ id }) => id)
  known.set(order, ids)
  return ids
}

const hiddenOf = new WeakMap<Roster, readonly string[]>()

/** Ids of the clients that are not shown, since they are there in another way. The same list for the same roster. */
export const hiddenIds = (roster: Roster): readonly string[] => {
  const shown = hiddenOf.has(roster) ? undefined : new Set(shownIds(roster))
  const ids = shown === undefined ? (hiddenOf.get(roster) ?? []) : entriesOf(roster).map(({ id }) => id).filter(id => !shown.has(id))
  hiddenOf.set(roster, ids)
  return ids
}

/**
 * Each machine once (product.md §4): directly while that works, else through the relay while that does; and directly
 * again when nothing but what it last said is known.
 */
const shownOf = (roster: Roster): readonly RosterEntry[] => {
  const entries = entriesOf(roster)
  const isLess = ({ id, isDirect, isConnected, machine }: RosterEntry): boolean => {
    if (isDirect) return !isConnected && machine !== undefined && onShelf(roster, machine)?.isConnected === true
    return entries.some(other => other.isDirect && other.machine === id && (other.isConnected || !isConnected))
  }
  const direct = new Set(entries.flatMap(({ isDirect, machine }) => (isDirect && machine !== undefined ? [machine] : [])))
  return entries.filter(entry => (!entry.isDirect || entry.isConnected || entry.hasAddress) && !((entry.isDirect || direct.has(entry.id)) && isLess(entry)))
}

const entriesOf = (roster: Roster): readonly RosterEntry[] => [...allOnShelves(roster)].map(([, entry]) => entry)

/** In steps of about a tenth, so that a machine does not change its place with every report. */
const inSteps = (ppd: number): number => (ppd <= 0 ? 0 : Math.round(Math.log2(ppd) * 8))

const isSame = (a: RosterEntry, b: RosterEntry): boolean =>
  a.name === b.name && a.isConnected === b.isConnected && a.hasAddress === b.hasAddress && a.machine === b.machine
  && a.problem === b.problem && a.ppd === b.ppd
