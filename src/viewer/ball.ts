/*
 * The ball that the camera looks at. Places that are not numbers do not count.
 */

export type Ball = { readonly center: readonly [number, number, number]; readonly radius: number }

/** Room around the outermost atoms' middles, in ångström. */
const ATOM_ROOM = 2

/** Of no atoms. */
export const EMPTY_BALL: Ball = { center: [0, 0, 0], radius: ATOM_ROOM }

/** x, y, z of each atom in ångström; the middle is that of their box. `EMPTY_BALL` when no atom has a place. */
export const ballOf = (positions: Float32Array): Ball => {
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

/** How far the outermost atom of a frame is from there, with room for the atom itself; in ångström. */
export const reachFrom = ([x, y, z]: Ball['center'], positions: Float32Array): number => {
  let square = 0
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [dx, dy, dz] = [(positions[at] ?? 0) - x, (positions[at + 1] ?? 0) - y, (positions[at + 2] ?? 0) - z]
    const own = dx * dx + dy * dy + dz * dz
    // A place out of all bounds must not make the rest a speck; NaN is never greater.
    if (own > square && own < FARTHEST_SQUARE) square = own
  }
  return Math.sqrt(square) + ATOM_ROOM
}

const FARTHEST_SQUARE = 1e10
