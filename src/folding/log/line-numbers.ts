/*
 * Distinct log line numbers, ascending: the result of a search. A Uint32Array, so that a worker can transfer it.
 */
export type LineNumbers = Uint32Array<ArrayBuffer>

export const noLines: LineNumbers = new Uint32Array(0)

/** Lower bound: the index of the first number that is not smaller. */
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

/** Concatenates two lists, without numbers below `first`, whose lines were trimmed. */
export const withMore = (numbers: LineNumbers, more: LineNumbers, first: number): LineNumbers => {
  const kept = numbers.subarray(placeIn(numbers, first))
  const together = new Uint32Array(kept.length + more.length)
  together.set(kept)
  together.set(more, kept.length)
  return together
}

/** The next number after `number`, wrapping around; undefined for an empty list. */
export const nextLine = (numbers: LineNumbers, number: number): number | undefined =>
  numbers[placeIn(numbers, number + 1)] ?? numbers[0]

/** The previous number before `number`, wrapping around; undefined for an empty list. */
export const previousLine = (numbers: LineNumbers, number: number): number | undefined =>
  numbers[placeIn(numbers, number) - 1] ?? numbers.at(-1)
