import { largestEigenvector } from '../../../folding/molecule/superposition.ts'
import { cross, dot, rotationMatrix, turned, type Vector } from '../../../folding/molecule/vectors.ts'
import type { Ball } from '../../../viewer/ball.ts'
import { FARTHEST, fitCamera, lensOf, panCamera, turnAbout, type Quaternion } from '../../../viewer/camera.ts'
import type { Camera } from '../../../viewer/viewer.types.ts'

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
    const [right, over, near] = turned(matrix, [x, y, z])
    const upright = Math.abs(over) + ATOM_ROOM
    const around = Math.hypot(right, near) + ATOM_ROOM
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

/** The rotation that makes the longest axis of the atoms horizontal, or vertical in a portrait view. */
function longestAxisRotation(positions: Float32Array, center: Vector, [width, height]: Size): Quaternion {
  const axis = longestAxis(positions, center)
  const to: Vector = width >= height ? [1, 0, 0] : [0, 1, 0]
  const cosine = dot(axis, to)
  // An axis has no direction, so the smaller angle is taken.
  const from: Vector = cosine < 0 ? [-axis[0], -axis[1], -axis[2]] : axis
  const about = cross(from, to)
  return turnAbout(about, Math.atan2(Math.hypot(...about), Math.abs(cosine)))
}

/** The principal axis of the atoms' covariance. */
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
  const [x = 1, y = 0, z = 0] = largestEigenvector(Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz))
  return [x, y, z]
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
