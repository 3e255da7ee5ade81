import { useSelector } from '../../../hooks/use-selector.ts'
import { useState } from 'react'
import { holdRows, sortBySeveral, type SortKey } from '../../../../folding/fleet/grid-order.ts'
import { isSameList } from '../../../../folding/shared/equal.ts'
import { selectNow } from '../../../../machines/app/clock/clock.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'

/** Keys of the rows under the pointer and with the focus. They are not moved by changing values. */
export type HeldRows = { pointed: string | undefined; focused: string | undefined }

type Source<Row> = {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The rows' keys in their usual order. */
  readonly keys: readonly string[]
  readonly sorts: readonly SortKey<Row>[]
  readonly held: HeldRows
}

/**
 * The keys of the rows, sorted whenever the caller renders and the clock ticks. Changed values never move a held row.
 * `sorts` must be the same list while nothing else sorts.
 */
export function useRowOrder<Row>({ rows, keyOf, keys, sorts, held }: Source<Row>): readonly string[] {
  const [order, setOrder] = useState({ sorts, sorted: keys })
  const isSorted = sorts.length > 0
  // Values of units change without their rows.
  useSelector(useSystem().clock, snapshot => (isSorted ? selectNow(snapshot) : undefined))
  if (!isSorted) return keys
  const next = sortBySeveral(rows, sorts).map(keyOf)
  const heldKeys = [held.pointed, held.focused].filter(key => key !== undefined)
  const sorted = order.sorts === sorts ? holdRows(order.sorted, next, heldKeys) : next
  if (order.sorts === sorts && isSameList(sorted, order.sorted)) return order.sorted
  setOrder({ sorts, sorted })
  return sorted
}
