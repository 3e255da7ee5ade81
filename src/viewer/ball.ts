/*
 * The bounding sphere that the camera is aimed at. Positions that are not finite are ignored.
 */
import { boundsOf } from '../folding/molecule/bounds.ts'

export type Ball = { readonly center: readonly [number, number, number]; readonly radius: number }

/** Margin around the centers of the outermost atoms, in ångström. */
const ATOM_ROOM = 2

/** Without atoms. */
export const EMPTY_BALL: Ball = { center: [0, 0, 0], radius: ATOM_ROOM }

/** The sphere around the center of the bounding box, in ångström. `EMPTY_BALL` when no atom has a position. */
export function ballOf(positions: Float32Array): Ball {
  const [low, high] = boundsOf(positions)
  const center = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2] as const
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

/** In ångström: the largest radius of an atom, marked. */
export const LARGEST_RADIUS = 2.8
