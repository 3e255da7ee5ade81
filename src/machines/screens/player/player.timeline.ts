import type { Timeline } from './player.events.ts'

/** Number of events up to a time. */
export function positionAt({ times }: Timeline, at: number): number {
  return firstIndex(times, time => time > at)
}

/** The next of some positions; `end` when there is none. */
export function positionAfter(positions: readonly number[], position: number, end: number): number {
  return positions[firstIndex(positions, other => other > position)] ?? end
}

/** The last of some positions before this one; 0 when there is none. */
export function positionBefore(positions: readonly number[], position: number): number {
  return positions[firstIndex(positions, other => other >= position) - 1] ?? 0
}

/** Binary search in an ordered list: the first index that matches, or the length. */
function firstIndex(ordered: readonly number[], isSuch: (value: number) => boolean): number {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isSuch(ordered[middle] ?? 0)) to = middle
    else from = middle + 1
  }
  return from
}
