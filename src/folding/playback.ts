/*
 * Where a viewer is in a trajectory: a place from 0 to, but not including, the number of frames. Its whole part is the
 * frame, the rest is how far it is on the way to the next.
 */

/** The frame at a place. */
export const frameAt = (place: number): number => Math.floor(place)

/** The next or the last frame; beyond the ends it goes on at the other one. With fewer than two frames nothing moves. */
export const stepPlace = (place: number, by: 1 | -1, count: number): number => {
  if (count < 2) return place
  const from = by === 1 ? Math.floor(place) : Math.ceil(place)
  return wrapped(from + by, count)
}

/** Further by so many frames, and from the end on to the beginning. */
export const advancePlace = (place: number, by: number, count: number): number => (count < 2 ? place : wrapped(place + by, count))

/** The place that shows the same frame when frames have come or gone; the nearest one when it is gone. */
export const placeAmong = (place: number, before: readonly Float32Array[], after: readonly Float32Array[]): number => {
  const frame = before[frameAt(place)]
  if (frame === undefined || after[frameAt(place)] === frame) return after.length === 0 ? 0 : Math.min(place, after.length - 1e-6)
  const found = after.indexOf(frame)
  return found === -1 ? Math.max(0, Math.min(frameAt(place), after.length - 1)) : found + (place % 1)
}

const wrapped = (place: number, count: number): number => ((place % count) + count) % count
