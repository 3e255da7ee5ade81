import type { Unit } from '../protocol/client-data.ts'
import { text } from './read.ts'
import { parseTime } from './times.ts'

/** No history. One value, so that selectors stay stable. */
export const emptyHistory: readonly Unit[] = Object.freeze([])

/**
 * Ended units known so far and newly reported ones (`wus`, wire.md §7) as one list by unit id, newest end first.
 * A client keeps 500; what it no longer reports is kept here. A unit reported again replaces its old row. Rows
 * without an id cannot be told apart and are kept once for each number and end. When nothing is new the known
 * list itself is given back.
 */
export const mergeHistory = (known: readonly Unit[], reported: readonly Unit[]): readonly Unit[] => {
  const rows = new Map<string, Unit>()
  for (const unit of known) rows.set(historyKey(unit), unit)
  let changed = rows.size !== known.length
  for (const unit of reported) {
    const key = historyKey(unit)
    const row = rows.get(key)
    if (row !== undefined && isSameRow(row, unit)) continue
    rows.set(key, unit)
    changed = true
  }
  return changed ? sortByEnd([...rows.values()]) : known
}

/** What tells one ended unit from another: its id, else its number and end. */
export const historyKey = (unit: Unit): string =>
  text(unit.id) ?? `#${String(unit.number)} ${String(unit.end_time)}`

/** When the unit ended, epoch milliseconds; undefined for a unit that has not, or does not say. */
export const endOf = (unit: Unit): number | undefined => parseTime(unit.end_time)

const isSameRow = (a: Unit, b: Unit): boolean =>
  a === b ||
  (a.end_time === b.end_time && a.result === b.result && a.state === b.state && a.number === b.number)

const sortByEnd = (units: readonly Unit[]): readonly Unit[] => {
  const ends = new Map(units.map((unit) => [unit, endOf(unit) ?? 0]))
  return [...units].sort((a, b) => (ends.get(b) ?? 0) - (ends.get(a) ?? 0))
}
