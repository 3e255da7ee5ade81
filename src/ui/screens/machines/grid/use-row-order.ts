import { useEffect, useRef, useState } from 'react'
import { holdRows, sortBySeveral, type SortKey } from '../../../../folding/fleet/grid-order.ts'
import { isSameList } from '../../../../folding/shared/equal.ts'

/** Rows sort again at most this often while their values change, in milliseconds. */
const REORDER_INTERVAL = 1000

/** Keys of the rows under the pointer and with the focus. They are not moved by changing values. */
export type HeldRows = { pointed: string | undefined; focused: string | undefined }

type Source<Row> = {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The rows' keys in their usual order. The same list while no row joins, leaves or moves. */
  readonly keys: readonly string[]
  readonly sorts: readonly SortKey<Row>[]
  readonly held: HeldRows
}

type Order<Row> = Pick<Source<Row>, 'keys' | 'sorts'> & { readonly sorted: readonly string[] }

const sortedKeys = <Row>({ rows, keyOf, keys, sorts }: Source<Row>): readonly string[] =>
  sorts.length === 0 ? keys : sortBySeveral(rows, sorts).map(keyOf)

const heldKeys = ({ pointed, focused }: HeldRows): readonly string[] =>
  [pointed, focused].filter(key => key !== undefined)

/**
 * The keys of the rows, sorted: at once when rows join or leave, or when the person sorts by other columns; by changed
 * values at most once a second, and never moving a held row. `sorts` must be the same list while nothing else sorts.
 */
export const useRowOrder = <Row>(source: Source<Row>): readonly string[] => {
  const { keys, sorts, held } = source
  const [order, setOrder] = useState<Order<Row>>(() => ({ keys, sorts, sorted: sortedKeys(source) }))
  const latest = useRef(source)
  let current = order
  if (order.keys !== keys || order.sorts !== sorts) {
    const next = sortedKeys(source)
    current = { keys, sorts, sorted: order.sorts === sorts ? holdRows(order.sorted, next, heldKeys(held)) : next }
    setOrder(current)
  }
  useEffect(() => {
    latest.current = source
  })
  useEffect(() => {
    if (sorts.length === 0) return undefined
    const timer = setInterval(
      () =>
        setOrder(before => {
          const now = latest.current
          if (before.keys !== now.keys || before.sorts !== now.sorts) return before
          const sorted = holdRows(before.sorted, sortedKeys(now), heldKeys(now.held))
          return isSameList(sorted, before.sorted) ? before : { ...before, sorted }
        }),
      REORDER_INTERVAL,
    )
    return () => clearInterval(timer)
  }, [sorts])
  return current.sorted
}
