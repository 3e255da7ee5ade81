/*
 * Numbers of log lines, ascending, each once: what a search has found. A Uint32Array, so that a worker hands it over
 * without copying it.
 */
export type LineNumbers = Uint32Array<ArrayBuffer>

export const noLines: LineNumbers = new Uint32Array(0)

/** How many of the numbers are smaller: the place of the first that is not. */
export const placeIn = (numbers: LineNumbers, number: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

export const includesLine = (numbers: LineNumbers, number: number): boolean =>
  numbers[placeIn(numbers, number)] === number

/** These, and then those; without what is smaller than `first`, since such lines are not kept any more. */
export const withMore = (numbers: LineNumbers, more: LineNumbers, first: number): LineNumbers => {
  const kept = numbers.subarray(placeIn(numbers, first))
  const together = new Uint32Array(kept.length + more.length)
  together.set(kept)
  together.set(more, kept.length)
  return together
}

/** The next one after `number`, the first one after the last; undefined when there is none at all. */
export const nextLine = (numbers: LineNumbers, number: number): number | undefined =>
  numbers[placeIn(numbers, number + 1)] ?? numbers[0]

/** The one before `number`, the last one before the first. */
export const previousLine = (numbers: LineNumbers, number: number): number | undefined =>
  numbers[placeIn(numbers, number) - 1] ?? numbers.at(-1)
