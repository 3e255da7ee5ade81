/* Which lines of a log are drawn: those in sight, and some around them, so that scrolling finds them there already. */
import type { LogRows } from './log-rows.ts'

/** Places of shown lines: from this one to before that one. */
export type LogWindow = { readonly from: number; readonly to: number }

/** Rows above and below what is seen. */
const AROUND = 12

/** The window moves by so many lines at a time: it is drawn again once in so many lines of scrolling. */
export const WINDOW_STEP = 8

/** The window about the line at this place, for a view of so many rows; at the end of the log without a place. */
export const windowAt = (rows: LogRows, count: number, viewRows: number, place: number | undefined): LogWindow => {
  if (count === 0) return { from: 0, to: 0 }
  if (place === undefined) return { from: rows.placeAt(rows.total - viewRows - AROUND), to: count }
  const first = place - (place % WINDOW_STEP)
  const last = Math.min(count, first + WINDOW_STEP)
  return {
    from: rows.placeAt(rows.above(first) - AROUND),
    to: Math.min(count, rows.placeAt(rows.above(last) + viewRows + AROUND) + 1),
  }
}
