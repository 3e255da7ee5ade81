/*
 * Distinct log line numbers, ascending: the result of a search. A Uint32Array, so that a worker can transfer it.
 */
export type LineNumbers = Uint32Array<ArrayBuffer>

export const noLines: LineNumbers = new Uint32Array(0)

/** Lower bound: the index of the first number that is not smaller. */
export function lowerBound(numbers: LineNumbers, number: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

export function includesLine(numbers: LineNumbers, number: number): boolean {
  return numbers[lowerBound(numbers, number)] === number
}

/** Concatenates two lists, without numbers below `first`, whose lines were trimmed. */
export function appendLineNumbers(numbers: LineNumbers, more: LineNumbers, first: number): LineNumbers {
  const remaining = numbers.subarray(lowerBound(numbers, first))
  const together = new Uint32Array(remaining.length + more.length)
  together.set(remaining)
  together.set(more, remaining.length)
  return together
}

/** The next number after `number`, wrapping around; undefined for an empty list. */
export function nextLine(numbers: LineNumbers, number: number): number | undefined {
  return numbers[lowerBound(numbers, number + 1)] ?? numbers[0]
}

/** The previous number before `number`, wrapping around; undefined for an empty list. */
export function previousLine(numbers: LineNumbers, number: number): number | undefined {
  return numbers[lowerBound(numbers, number) - 1] ?? numbers.at(-1)
}

/** The shown lines of a log by index: all lines, or search results. */
export type ShownLines = {
  readonly count: number
  /** The line number at this index, from 0; undefined beyond the end. */
  readonly numberAt: (place: number) => number | undefined
  /** The index of the line with this number, or of the next shown one; `count` when there is none. */
  readonly placeOf: (number: number) => number
}

/** All lines from number `first` up to `end` (exclusive). */
export function allShown(first: number, end: number): ShownLines {
  return {
    count: end - first,
    numberAt: place => (place >= 0 && place < end - first ? first + place : undefined),
    placeOf: number => Math.max(0, Math.min(number, end) - first),
  }
}

/** The lines found, without trimmed ones. */
export function shownFoundLines(found: LineNumbers, first: number): ShownLines {
  const remaining = found.subarray(lowerBound(found, first))
  return {
    count: remaining.length,
    numberAt: place => remaining[place],
    placeOf: number => lowerBound(remaining, number),
  }
}
