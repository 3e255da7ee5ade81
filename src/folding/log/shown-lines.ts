/* The shown lines of a log by index: all lines, or search results. */
import { placeIn, type LineNumbers } from './line-numbers.ts'

export type ShownLines = {
  readonly count: number
  /** The line number at this index, from 0; undefined beyond the end. */
  readonly numberAt: (place: number) => number | undefined
  /** The index of the line with this number, or of the next shown one; `count` when there is none. */
  readonly placeOf: (number: number) => number
}

/** All lines from number `first` up to `end` (exclusive). */
export const allShown = (first: number, end: number): ShownLines => ({
  count: end - first,
  numberAt: place => (place >= 0 && place < end - first ? first + place : undefined),
  placeOf: number => Math.max(0, Math.min(number, end) - first),
})

/** The lines found, without trimmed ones. */
export const foundShown = (found: LineNumbers, first: number): ShownLines => {
  const kept = found.subarray(placeIn(found, first))
  return { count: kept.length, numberAt: place => kept[place], placeOf: number => placeIn(kept, number) }
}
