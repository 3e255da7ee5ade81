import type { Ball } from '../../../viewer/ball.ts'
import {
  FARTHEST,
  fitCamera,
  lensOf,
  panCamera,
  rotationMatrix,
  turnAbout,
  type Quaternion,
} from '../../../viewer/camera.ts'
import type { Camera } from '../../../viewer/viewer.types.ts'

type Vector = readonly [number, number, number]
type Size = readonly [width: number, height: number]

/** Ångström around the middle of an atom. */
const ATOM_ROOM = 2
/** Of the room that is free. */
const FILLED = 0.94

/** CSS pixels at the upper and the lower edge of the view that something lies over. */
export type Covered = { readonly above: number; readonly below: number }

export const NOTHING_COVERED: Covered = { above: 0, below: 0 }

/**
 * The camera that shows a frame in the free room of the view, as large as it can be while it turns about the upright
 * axis. Without a rotation the longest side of the molecule lies along the longer side of the view. `positions`: x, y, z
 * of each atom in ångström; `size` in CSS pixels.
 */
export const fittingCamera = (
  positions: Float32Array,
  ball: Ball,
  size: Size,
  covered: Covered = NOTHING_COVERED,
  wanted?: Quaternion,
): Camera => {
  const rotation = wanted ?? layingOf(positions, ball.center, size)
  const [wide, high] = lensOf(...size)
  const free = Math.max(0.4, 1 - (covered.above + covered.below) / size[1])
  const [across, up] = [wide * FILLED, high * FILLED * free]
  const matrix = rotationMatrix(rotation)
  let farthest = 0
  forEachPlace(positions, ball.center, (x, y, z) => {
    const upright = Math.abs(turned(matrix, 1, x, y, z)) + ATOM_ROOM
    const around = Math.hypot(turned(matrix, 0, x, y, z), turned(matrix, 2, x, y, z)) + ATOM_ROOM
    farthest = Math.max(farthest, around * Math.hypot(1 / across, 1), upright / up + around)
  })
  const distance = farthest / ball.radius
  const camera = fitCamera(rotation)
  return panCamera(
    distance > 0 ? { ...camera, distance: Math.min(FARTHEST, distance) } : camera,
    [0, (covered.above - covered.below) / 2],
    size,
  )
}

const turned = (matrix: readonly number[], row: 0 | 1 | 2, x: number, y: number, z: number): number =>
  (matrix[row] ?? 0) * x + (matrix[row + 3] ?? 0) * y + (matrix[row + 6] ?? 0) * z

/** The turn that lays the longest axis of a cloud of atoms across, or up in a view that is higher than wide. */
const layingOf = (positions: Float32Array, center: Vector, [width, height]: Size): Quaternion => {
  const axis = longestAxis(positions, center)
  const to: Vector = width >= height ? [1, 0, 0] : [0, 1, 0]
  const cosine = axis[0] * to[0] + axis[1] * to[1] + axis[2] * to[2]
  // An axis has no direction: the shorter way round is enough.
  const from: Vector = cosine < 0 ? [-axis[0], -axis[1], -axis[2]] : axis
  const about: Vector = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ]
  return turnAbout(about, Math.atan2(Math.hypot(...about), Math.abs(cosine)))
}

const ROUNDS = 24

/** Along which the atoms lie farthest apart: the main axis of their covariance, by repeated multiplication. */
const longestAxis = (positions: Float32Array, center: Vector): Vector => {
  const spread = [0, 0, 0, 0, 0, 0] as [number, number, number, number, number, number]
  forEachPlace(positions, center, (x, y, z) => {
    spread[0] += x * x
    spread[1] += y * y
    spread[2] += z * z
    spread[3] += x * y
    spread[4] += x * z
    spread[5] += y * z
  })
  const [xx, yy, zz, xy, xz, yz] = spread
  let axis: Vector = [1, 0.9, 0.8]
  for (let round = 0; round < ROUNDS; round++) {
    const [x, y, z] = axis
    const next: Vector = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
    const length = Math.hypot(...next)
    if (!(length > 0) || !Number.isFinite(length)) return [1, 0, 0]
    axis = [next[0] / length, next[1] / length, next[2] / length]
  }
  return axis
}

const forEachPlace = (
  positions: Float32Array,
  [cx, cy, cz]: Vector,
  visit: (x: number, y: number, z: number) => void,
): void => {
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x, y, z] = [(positions[at] ?? 0) - cx, (positions[at + 1] ?? 0) - cy, (positions[at + 2] ?? 0) - cz]
    if (Number.isFinite(x + y + z)) visit(x, y, z)
  }
}
