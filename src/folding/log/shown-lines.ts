/* The lines of a log that are shown, by their place on the screen: all of them, or those that a search found. */
import { placeIn, type LineNumbers } from './line-numbers.ts'

export type ShownLines = {
  readonly count: number
  /** The number of the line at this place, from 0; undefined beyond the end. */
  readonly numberAt: (place: number) => number | undefined
  /** The place of the line with this number, or of the next one that is shown; `count` when there is none. */
  readonly placeOf: (number: number) => number
}

/** All lines that are kept: from number `first` to before `end`. */
export const allShown = (first: number, end: number): ShownLines => ({
  count: end - first,
  numberAt: place => (place >= 0 && place < end - first ? first + place : undefined),
  placeOf: number => Math.max(0, Math.min(number, end) - first),
})

/** The lines found, as far as they are kept. */
export const foundShown = (found: LineNumbers, first: number): ShownLines => {
  const kept = found.subarray(placeIn(found, first))
  return { count: kept.length, numberAt: place => kept[place], placeOf: number => placeIn(kept, number) }
}
