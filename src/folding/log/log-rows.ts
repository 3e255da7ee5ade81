/*
 * How high lines are, counted in rows of text, so that every place in a log of any length has a height that is known
 * without drawing it. Letters of a fixed width make that a matter of counting: a line that is longer than the view
 * goes on in rows that are indented.
 */
import type { LineRun, LogLines } from './log-lines.ts'
import type { ShownLines } from './shown-lines.ts'

/** `columns`: letters in a row, Infinity when lines do not wrap. `indent`: letters by which further rows are indented. */
export type RowLayout = { readonly columns: number; readonly indent: number }

/** Rows of the lines that are shown, by their places. */
export type LogRows = {
  readonly total: number
  /** Rows above the line at this place; `total` for the end. */
  readonly above: (place: number) => number
  /** The place of the line that has this row, which may be a fraction. */
  readonly placeAt: (row: number) => number
}

const ESCAPE = 0x1b
// What a client puts around a line to colour it: `\u001b[93m` and `\u001b[0m`.
const COLOURING = 9

/** Rows that a line of so many bytes takes. Letters wider than others, and escapes within, are counted as if they were usual. */
const rowsOf = (size: number, firstByte: number | undefined, { columns, indent }: RowLayout): number => {
  if (size <= columns) return 1
  const letters = size - (firstByte === ESCAPE ? COLOURING : 0)
  return letters <= columns ? 1 : 1 + Math.ceil((letters - columns) / Math.max(1, columns - indent))
}

export const rowsOfLine = (log: LogLines, number: number, layout: RowLayout): number =>
  rowsOf(log.bytesAt(number), log.firstByteAt(number), layout)

/** Lines that do not wrap. */
export const evenRows = (count: number): LogRows => ({
  total: count,
  above: place => Math.max(0, Math.min(count, place)),
  placeAt: row => Math.max(0, Math.min(count - 1, Math.floor(row))),
})

/**
 * Counts rows, and counts only what is new when lines were appended since the last time. Everything else (another
 * width, other lines, trimmed ones) is counted afresh: about a millisecond for 100,000 lines.
 */
export const createRowCounter = () => {
  // sums[place]: rows above the line at that place.
  let sums = new Uint32Array(1)
  let count = 0
  let counted:
    { readonly layout: RowLayout; readonly first: number | undefined; readonly last: number | undefined } | undefined

  const goesOn = (shown: ShownLines, { columns, indent }: RowLayout): boolean =>
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
    // Lines that were found here and there, or are not kept any more, are counted one by one.
    const isGapless = last - from === shown.count - 1 - count && from >= log.first
    if (isGapless) for (const run of log.runs(from, last + 1)) count = addRows(run, layout, sums, count)
    for (; count < shown.count; count++)
      sums[count + 1] = (sums[count] ?? 0) + rowsOfLine(log, shown.numberAt(count) ?? -1, layout)
  }

  return (log: LogLines, shown: ShownLines, layout: RowLayout): LogRows => {
    if (!Number.isFinite(layout.columns)) return evenRows(shown.count)
    if (!goesOn(shown, layout)) count = 0
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

/** Goes on with the sums of rows, and returns of how many lines there are some now. */
const addRows = ({ bytes, from, ends }: LineRun, layout: RowLayout, sums: Uint32Array, counted: number): number => {
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

const rowsFrom = (sums: Uint32Array, count: number): LogRows => ({
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
})
