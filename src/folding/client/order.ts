import { compareTexts } from '../text/format.ts'
import { problemOfAwaited, type ProblemLevel } from './badges.ts'

/** What clients are sorted by. */
export type Orderable = {
  readonly id: string
  readonly name: string
  readonly isDirect: boolean
  readonly isConnected: boolean
  /** Whether it was connected a short time ago, so that it keeps its place. */
  readonly isRecent?: boolean
  /** The position among direct clients, which keep the order of their list; 0 for others. */
  readonly rank?: number
  readonly problem: ProblemLevel
  readonly ppd: number
}

/** The order of docs/product.md §2, or by problem level, points per day, or name. */
export type ClientOrder = 'usual' | 'problems' | 'ppd' | 'name'

/** With problems first, while the relay has not listed its clients yet: that one is not connected is no problem then. */
export type ListingOrder = ClientOrder | 'listing'

/**
 * The clients sorted, as a new list; the same list when they are sorted already. Every order ends in name and id, so
 * that no two clients change places by chance.
 */
export function orderClients<T extends Orderable>(clients: readonly T[], order: ListingOrder): readonly T[] {
  const compare = COMPARE[order]
  const isOrdered = clients.every((client, index) => {
    const before = clients[index - 1]
    return before === undefined || compare(before, client) <= 0
  })
  return isOrdered ? clients : [...clients].sort(compare)
}

/**
 * A sorted list with one client replaced, or added when there is no `before`. The position is found by binary search:
 * comparing names is slow, and sorting again for each of a thousand clients that connect would take seconds.
 */
export function replaceClient<T extends Orderable>(
  clients: readonly T[],
  order: ListingOrder,
  before: T | undefined,
  after: T,
): readonly T[] {
  const compare = COMPARE[order]
  const others = [...clients]
  if (before !== undefined) others.splice(others.indexOf(before), 1)
  let first = 0
  let end = others.length
  while (first < end) {
    const middle = (first + end) >> 1
    const other = others[middle]
    if (other !== undefined && compare(other, after) < 0) first = middle + 1
    else end = middle
  }
  others.splice(first, 0, after)
  return others
}

function byName(a: Orderable, b: Orderable): number {
  return compareTexts(a.name, b.name) || compareIds(a.id, b.id)
}

function problemWhileListing({ isDirect, isConnected, problem }: Orderable): ProblemLevel {
  return isDirect || isConnected ? problem : problemOfAwaited(problem)
}

function isOrWas({ isConnected, isRecent = false }: Orderable): boolean {
  return isConnected || isRecent
}

function usual(a: Orderable, b: Orderable): number {
  return (
    Number(b.isDirect) - Number(a.isDirect) ||
    (a.rank ?? 0) - (b.rank ?? 0) ||
    Number(isOrWas(b)) - Number(isOrWas(a)) ||
    byName(a, b)
  )
}

const COMPARE: Readonly<Record<ListingOrder, (a: Orderable, b: Orderable) => number>> = {
  usual,
  problems: (a, b) => b.problem - a.problem || usual(a, b),
  listing: (a, b) => problemWhileListing(b) - problemWhileListing(a) || usual(a, b),
  ppd: (a, b) => b.ppd - a.ppd || usual(a, b),
  name: byName,
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
