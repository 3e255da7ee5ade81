/*
 * The bounding sphere that the camera is aimed at. Positions that are not finite are ignored.
 */

export type Ball = { readonly center: readonly [number, number, number]; readonly radius: number }

/** Margin around the centers of the outermost atoms, in ångström. */
const ATOM_ROOM = 2

export type Bounds = readonly [low: readonly number[], high: readonly number[]]

/** Without atoms. */
export const EMPTY_BALL: Ball = { center: [0, 0, 0], radius: ATOM_ROOM }

/** The sphere around the center of the bounding box, in ångström. `EMPTY_BALL` when no atom has a position. */
export function ballOf(positions: Float32Array): Ball {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at++) {
    const value = positions[at] ?? Number.NaN
    if (!Number.isFinite(value)) continue
    const axis = at % 3
    if (value < (min[axis] ?? 0)) min[axis] = value
    if (value > (max[axis] ?? 0)) max[axis] = value
  }
  const middle = (axis: number): number => {
    const sum = (min[axis] ?? 0) + (max[axis] ?? 0)
    return Number.isFinite(sum) ? sum / 2 : Number.NaN
  }
  const center = [middle(0), middle(1), middle(2)] as const
  return center.every(Number.isFinite) ? { center, radius: reachFrom(center, positions) } : EMPTY_BALL
}

/** The distance of the outermost atom with a radius of a frame from a center, with `ATOM_ROOM`, in ångström. */
export function reachFrom([x, y, z]: Ball['center'], positions: Float32Array, radii?: Float32Array): number {
  let square = 0
  for (let atom = 0, at = 0; at + 2 < positions.length; atom++, at += 3) {
    if (radii?.[atom] === 0) continue
    const [dx, dy, dz] = [(positions[at] ?? 0) - x, (positions[at + 1] ?? 0) - y, (positions[at + 2] ?? 0) - z]
    const distanceSquare = dx * dx + dy * dy + dz * dz
    // Extreme outliers are ignored, as is NaN, which is never greater.
    if (distanceSquare > square && distanceSquare < FARTHEST_SQUARE) square = distanceSquare
  }
  return Math.sqrt(square) + ATOM_ROOM
}

const FARTHEST_SQUARE = 1e10

/** The lowest and highest x, y and z of the atoms with a radius of a frame, with room for them, in ångström. */
export function boundsOf(positions: Float32Array, radii: Float32Array): Bounds {
  let [x0, y0, z0] = [Infinity, Infinity, Infinity]
  let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity]
  for (let atom = 0, at = 0; at + 2 < positions.length; atom++, at += 3) {
    if (radii[atom] === 0) continue
    const x = positions[at] ?? Number.NaN
    const y = positions[at + 1] ?? Number.NaN
    const z = positions[at + 2] ?? Number.NaN
    if (x < x0) x0 = x
    if (y < y0) y0 = y
    if (z < z0) z0 = z
    if (x > x1) x1 = x
    if (y > y1) y1 = y
    if (z > z1) z1 = z
  }
  return [[x0, y0, z0].map(value => value - LARGEST_RADIUS), [x1, y1, z1].map(value => value + LARGEST_RADIUS)]
}

/** In ångström: the largest radius of an atom, marked. */
export const LARGEST_RADIUS = 2.8
