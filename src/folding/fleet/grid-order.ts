/*
 * The order of a grid's rows: by several columns, and without moving the rows that a person points at.
 */
import { compareTexts } from '../text/format.ts'
import type { SortValue } from '../unit/unit-column.ts'

/** One column of a sorting; the first sorts, the next ones order equal rows. */
export type ColumnSort = { readonly column: string; readonly isDescending: boolean }

/** At most this many columns sort. */
export const MAX_SORTS = 5

/** One part of a sort: the values to sort by. `column`: the same object for the same column, under which ranks are kept. */
export type SortKey<T> = {
  readonly column: object
  readonly valueOf: (item: T) => SortValue
  readonly isDescending: boolean
}

/**
 * A stable sort by several values: numbers by size, texts in natural order, undefined last in both directions. Each value
 * is read once per item.
 */
export function sortBySeveral<T>(items: readonly T[], sorts: readonly SortKey<T>[]): readonly T[] {
  if (sorts.length === 0) return items
  const keys = sorts.map(({ column, valueOf, isDescending }) => ({
    ranks: ranksOf(column, items.map(valueOf)),
    sign: isDescending ? -1 : 1,
  }))
  const compare = (a: number, b: number): number => {
    for (const { ranks, sign } of keys) {
      const [left, right] = [ranks[a], ranks[b]]
      if (left === right) continue
      if (left === undefined || right === undefined) return left === undefined ? 1 : -1
      return sign * (left - right)
    }
    return a - b
  }
  const sorted: T[] = []
  for (const index of items.map((_, at) => at).sort(compare)) sorted.push(items[index] as T)
  return sorted
}

/**
 * `next`, the new order of the rows, with the `held` rows at the places that they had in `before`, so that no row moves
 * from under the pointer or the focus. The others keep their new order around them.
 */
export function holdRows(
  before: readonly string[],
  next: readonly string[],
  held: readonly string[],
): readonly string[] {
  const there = new Set(next)
  const places = held
    .map(key => ({ key, at: before.indexOf(key) }))
    .filter(({ key, at }) => at >= 0 && there.has(key))
    .sort((a, b) => a.at - b.at)
  if (places.length === 0) return next
  const holds = new Set(places.map(({ key }) => key))
  const rows = next.filter(key => !holds.has(key))
  for (const { key, at } of places) rows.splice(at, 0, key)
  return rows
}

/** Numbers in the order of the values; undefined where the value is. */
function ranksOf(column: object, values: readonly SortValue[]): readonly (number | undefined)[] {
  if (!values.some(value => typeof value === 'string'))
    return values.map(value => (typeof value === 'number' ? value : undefined))
  const texts = values.map(value => (value === undefined ? undefined : String(value)))
  const ranks = textRanks(column, texts)
  return texts.map(text => (text === undefined ? undefined : ranks.get(text)))
}

// Comparing texts is slow, and a column's texts seldom change: their order is kept until one appears that is not in it.
const ranksByColumn = new WeakMap<object, ReadonlyMap<string, number>>()

function textRanks(column: object, texts: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const cached = ranksByColumn.get(column)
  if (
    cached !== undefined &&
    cached.size <= 2 * texts.length &&
    texts.every(text => text === undefined || cached.has(text))
  )
    return cached
  const distinct = [...new Set(texts.filter(text => text !== undefined))].sort(compareTexts)
  const ranks = new Map<string, number>()
  let rank = 0
  distinct.forEach((text, at) => {
    // Texts that differ only in case or accents are equal, so that the next column orders them.
    if (at > 0 && compareTexts(distinct[at - 1] ?? '', text) !== 0) rank++
    ranks.set(text, rank)
  })
  ranksByColumn.set(column, ranks)
  return ranks
}
