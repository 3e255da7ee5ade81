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

/** Margin around the center of an atom, in ångström. */
const ATOM_ROOM = 2
/** Share of the free space that the molecule fills. */
const FILLED = 0.94

/** CSS pixels at the top and bottom of the view that are covered by overlays. */
export type Covered = { readonly above: number; readonly below: number }

export const NOTHING_COVERED: Covered = { above: 0, below: 0 }

/**
 * The camera that fits a frame into the free space of the view, at any rotation about the vertical axis. Without a given
 * rotation, the molecule's longest axis is laid along the longer side of the view. `positions`: x, y, z of each atom in
 * ångström; `size` in CSS pixels.
 */
export function fittingCamera(
  positions: Float32Array,
  ball: Ball,
  size: Size,
  covered: Covered = NOTHING_COVERED,
  fixedRotation?: Quaternion,
): Camera {
  const rotation = fixedRotation ?? longestAxisRotation(positions, ball.center, size)
  const [wide, high] = lensOf(...size)
  const free = Math.max(0.4, 1 - (covered.above + covered.below) / size[1])
  const [across, up] = [wide * FILLED, high * FILLED * free]
  const matrix = rotationMatrix(rotation)
  let farthest = 0
  forEachPlace(positions, ball.center, (x, y, z) => {
    const upright = Math.abs(rotatedCoordinate(matrix, 1, x, y, z)) + ATOM_ROOM
    const around = Math.hypot(rotatedCoordinate(matrix, 0, x, y, z), rotatedCoordinate(matrix, 2, x, y, z)) + ATOM_ROOM
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

function rotatedCoordinate(matrix: readonly number[], row: 0 | 1 | 2, x: number, y: number, z: number): number {
  return (matrix[row] ?? 0) * x + (matrix[row + 3] ?? 0) * y + (matrix[row + 6] ?? 0) * z
}

/** The rotation that makes the longest axis of the atoms horizontal, or vertical in a portrait view. */
function longestAxisRotation(positions: Float32Array, center: Vector, [width, height]: Size): Quaternion {
  const axis = longestAxis(positions, center)
  const to: Vector = width >= height ? [1, 0, 0] : [0, 1, 0]
  const cosine = axis[0] * to[0] + axis[1] * to[1] + axis[2] * to[2]
  // An axis has no direction, so the smaller angle is taken.
  const from: Vector = cosine < 0 ? [-axis[0], -axis[1], -axis[2]] : axis
  const about: Vector = [
    from[1] * to[2] - from[2] * to[1],
    from[2] * to[0] - from[0] * to[2],
    from[0] * to[1] - from[1] * to[0],
  ]
  return turnAbout(about, Math.atan2(Math.hypot(...about), Math.abs(cosine)))
}

const ITERATIONS = 24

/** The principal axis of the atoms' covariance, by power iteration. */
function longestAxis(positions: Float32Array, center: Vector): Vector {
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
  for (let round = 0; round < ITERATIONS; round++) {
    const [x, y, z] = axis
    const next: Vector = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
    const length = Math.hypot(...next)
    if (!(length > 0) || !Number.isFinite(length)) return [1, 0, 0]
    axis = [next[0] / length, next[1] / length, next[2] / length]
  }
  return axis
}

function forEachPlace(
  positions: Float32Array,
  [cx, cy, cz]: Vector,
  visit: (x: number, y: number, z: number) => void,
): void {
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x, y, z] = [(positions[at] ?? 0) - cx, (positions[at + 1] ?? 0) - cy, (positions[at + 2] ?? 0) - cz]
    if (Number.isFinite(x + y + z)) visit(x, y, z)
  }
}

/** Attribute of overlays that cover the molecule where they cross the vertical center line of the view. */
export const COVERS = { 'data-covers': '' } as const

/** Measures the overlays that cross the vertical center line of the view. */
export function coveredOf(host: HTMLElement): Covered {
  const view = host.getBoundingClientRect()
  const [middle, center] = [(view.left + view.right) / 2, (view.top + view.bottom) / 2]
  let [above, below] = [0, 0]
  for (const element of host.parentElement?.parentElement?.querySelectorAll('[data-covers]') ?? []) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (left > middle || right < middle) continue
    if ((top + bottom) / 2 < center) above = Math.max(above, bottom - view.top)
    else below = Math.max(below, view.bottom - top)
  }
  return { above, below }
}
