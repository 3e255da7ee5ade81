/* Which lines of a log are rendered: the visible ones, and some above and below. */
import type { LogRows } from './log-rows.ts'

/** Indexes of shown lines: from `from` up to `to` (exclusive). */
export type LogWindow = { readonly from: number; readonly to: number }

/** Extra rows above and below the view. */
const OVERSCAN = 12

/** The window moves in steps of so many lines, to render less often while scrolling. */
export const WINDOW_STEP = 8

/** The window around the line at index `place`, for a view of `viewRows` rows; at the end of the log without `place`. */
export const windowAt = (rows: LogRows, count: number, viewRows: number, place: number | undefined): LogWindow => {
  if (count === 0) return { from: 0, to: 0 }
  if (place === undefined) return { from: rows.placeAt(rows.total - viewRows - OVERSCAN), to: count }
  const first = place - (place % WINDOW_STEP)
  const last = Math.min(count, first + WINDOW_STEP)
  return {
    from: rows.placeAt(rows.above(first) - OVERSCAN),
    to: Math.min(count, rows.placeAt(rows.above(last) + viewRows + OVERSCAN) + 1),
  }
}
