/*
 * Heights of log lines in rows of text, so that scroll positions are known without rendering. The font is monospaced, so
 * rows are counted from line lengths: longer lines wrap into indented rows. The window is what is rendered of them.
 */
import type { LineRun, LogLines } from './log-lines.ts'
import type { ShownLines } from './line-numbers.ts'

/** `columns`: characters per row, Infinity when lines do not wrap. `indent`: characters by which wrapped rows are indented. */
export type RowLayout = { readonly columns: number; readonly indent: number }

/** Row positions of the shown lines, by their index. */
export type LogRows = {
  readonly total: number
  /** Rows above the line at this index; `total` for the end. */
  readonly above: (place: number) => number
  /** The index of the line at this row, which may be fractional. */
  readonly placeAt: (row: number) => number
}

const ESCAPE = 0x1b
// The color escapes around a line: `\u001b[93m` and `\u001b[0m`.
const COLOR_ESCAPES = 9

/** Rows of a line of `size` bytes. Wide characters, and escapes inside the line, count as ordinary bytes. */
function rowsOf(size: number, firstByte: number | undefined, { columns, indent }: RowLayout): number {
  if (size <= columns) return 1
  const characters = size - (firstByte === ESCAPE ? COLOR_ESCAPES : 0)
  return characters <= columns ? 1 : 1 + Math.ceil((characters - columns) / Math.max(1, columns - indent))
}

export function rowsOfLine(log: LogLines, number: number, layout: RowLayout): number {
  return rowsOf(log.bytesAt(number), log.firstByteAt(number), layout)
}

/** Lines that do not wrap. */
export function evenRows(count: number): LogRows {
  return {
    total: count,
    above: place => Math.max(0, Math.min(count, place)),
    placeAt: row => Math.max(0, Math.min(count - 1, Math.floor(row))),
  }
}

/**
 * Counts rows incrementally when lines were appended. After any other change (width, other lines, trimming) everything is
 * counted again: about a millisecond for 100,000 lines.
 */
export function createRowCounter() {
  // sums[index]: rows above the line at that index.
  let sums = new Uint32Array(1)
  let count = 0
  let counted:
    | { readonly layout: RowLayout; readonly first: number | undefined; readonly last: number | undefined }
    | undefined

  const isExtension = (shown: ShownLines, { columns, indent }: RowLayout): boolean =>
    counted?.layout.columns === columns &&
    counted.layout.indent === indent &&
    count > 0 &&
    count <= shown.count &&
    counted.first === shown.numberAt(0) &&
    counted.last === shown.numberAt(count - 1)

  const countRest = (log: LogLines, shown: ShownLines, layout: RowLayout): void => {
    const from = shown.numberAt(count)
    const last = shown.numberAt(shown.count - 1)
    if (from === undefined || last === undefined) return
    // Search results with gaps, and trimmed lines, are counted one by one.
    const isGapless = last - from === shown.count - 1 - count && from >= log.first
    if (isGapless) for (const run of log.runs(from, last + 1)) count = addRows(run, layout, sums, count)
    for (; count < shown.count; count++)
      sums[count + 1] = (sums[count] ?? 0) + rowsOfLine(log, shown.numberAt(count) ?? -1, layout)
  }

  return (log: LogLines, shown: ShownLines, layout: RowLayout): LogRows => {
    if (!Number.isFinite(layout.columns)) return evenRows(shown.count)
    if (!isExtension(shown, layout)) count = 0
    if (sums.length <= shown.count) {
      const grown = new Uint32Array(2 * shown.count + 1)
      grown.set(sums.subarray(0, count + 1))
      sums = grown
    }
    countRest(log, shown, layout)
    counted = { layout, first: shown.numberAt(0), last: shown.numberAt(count - 1) }
    return rowsFrom(sums, count)
  }
}

/** Appends a run's row sums, and returns the number of lines counted so far. */
function addRows({ bytes, from, ends }: LineRun, layout: RowLayout, sums: Uint32Array, counted: number): number {
  let start = from
  let sum = sums[counted] ?? 0
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] ?? start
    sum += rowsOf(end - start, bytes[start], layout)
    sums[counted + index + 1] = sum
    start = end
  }
  return counted + ends.length
}

function rowsFrom(sums: Uint32Array, count: number): LogRows {
  return {
    total: sums[count] ?? 0,
    above: place => sums[Math.max(0, Math.min(count, place))] ?? 0,
    placeAt: row => {
      let low = 0
      let high = Math.max(0, count - 1)
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if ((sums[middle] ?? 0) <= row) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

/** Indexes of shown lines: from `from` up to `to` (exclusive). */
export type LogWindow = { readonly from: number; readonly to: number }

/** Extra rows above and below the view. */
const OVERSCAN = 12

/** The window moves in steps of so many lines, to render less often while scrolling. */
export const WINDOW_STEP = 8

/** The window around the line at index `place`, for a view of `viewRows` rows; at the end of the log without `place`. */
export function windowAt(rows: LogRows, count: number, viewRows: number, place: number | undefined): LogWindow {
  if (count === 0) return { from: 0, to: 0 }
  if (place === undefined) return { from: rows.placeAt(rows.total - viewRows - OVERSCAN), to: count }
  const first = place - (place % WINDOW_STEP)
  const last = Math.min(count, first + WINDOW_STEP)
  return {
    from: rows.placeAt(rows.above(first) - OVERSCAN),
    to: Math.min(count, rows.placeAt(rows.above(last) + viewRows + OVERSCAN) + 1),
  }
}
