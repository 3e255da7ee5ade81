import { WATER } from './kinds.ts'
import type { Vector } from './vectors.ts'

/** The lowest and highest x, y and z, in ångström; infinite where there are none. */
export type Bounds = readonly [low: Vector, high: Vector]

/** Ångström: farther out there is no molecule. */
const FARTHEST = 1e5

/** The bounds of a frame's atoms, without those with a radius of 0, and so much around them. */
export function boundsOf(frame: Float32Array, radii?: ArrayLike<number>, room = 0): Bounds {
  const low: [number, number, number] = [Infinity, Infinity, Infinity]
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  frame.forEach((value, at) => {
    const axis = (at % 3) as 0 | 1 | 2
    // False for a place that is not known.
    if (!(Math.abs(value) < FARTHEST) || radii?.[Math.floor(at / 3)] === 0) return
    low[axis] = Math.min(low[axis], value - room)
    high[axis] = Math.max(high[axis], value + room)
  })
  return [low, high]
}

/** Fewer atoms of water fill no box. */
const MUCH_WATER = 600

/** The bounds of a frame's water, if there is much. */
export function waterBounds(frame: Float32Array, kinds: Uint8Array, room = 0): Bounds | undefined {
  const isWater = kinds.map(kind => (kind === WATER ? 1 : 0))
  const count = isWater.reduce((sum, one) => sum + one, 0)
  return count < MUCH_WATER ? undefined : boundsOf(frame, isWater, room)
}
