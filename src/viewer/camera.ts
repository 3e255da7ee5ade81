/*
 * Camera mathematics: trackball rotation, inertia, zoom. Angles are radians, quaternions (x, y, z, w), lengths radii of
 * the bounding sphere.
 */
import { cross, dot } from '../folding/molecule/vectors.ts'
import type { Camera } from './viewer.types.ts'

export type Quaternion = Camera['rotation']

/** The angle that the narrower side of the view spans. */
export const VIEW_ANGLE = Math.PI / 6

/** Shows the whole sphere with a small margin. */
export const FIT_DISTANCE = 1.04 / Math.sin(VIEW_ANGLE / 2)

export const NEAREST = 0.15
export const FARTHEST = 12

/** docs/product.md §9: one step of the wheel or a key. */
export const ZOOM_STEP = 0.95

export function fitCamera(rotation: Quaternion = [0, 0, 0, 1]): Camera {
  return { rotation, pivot: [0, 0, 0], distance: FIT_DISTANCE, pan: [0, 0] }
}

/** The same rotation about a place, with so much around it in view; all in radii of the sphere. */
export function closeUpCamera(camera: Camera, pivot: Camera['pivot'], reach: number): Camera {
  return { ...camera, pivot, distance: Math.max(NEAREST, reach / Math.sin(VIEW_ANGLE / 2)), pan: [0, 0] }
}

/** Rotation by `b`, then by `a`. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a
  const [bx, by, bz, bw] = b
  return normalize([
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ])
}

/** Rotation by `angle` about an axis of any length; none for a zero axis. */
export function turnAbout(axis: readonly [number, number, number], angle: number): Quaternion {
  const length = Math.hypot(...axis)
  if (!(length > 0) || !Number.isFinite(length + angle)) return [0, 0, 0, 1]
  const share = Math.sin(angle / 2) / length
  return [axis[0] * share, axis[1] * share, axis[2] * share, Math.cos(angle / 2)]
}

/** Rotates about an axis of the screen: x to the right, y up, z towards the viewer. */
export function turnCamera(camera: Camera, axis: readonly [number, number, number], angle: number): Camera {
  return {
    ...camera,
    rotation: multiply(turnAbout(axis, angle), camera.rotation),
  }
}

/**
 * Trackball rotation for a drag, in CSS pixels from the top left of a view of this size. Near the center it rolls, near
 * the rim it turns about the line of sight.
 */
export function dragTurn(
  from: readonly [number, number],
  to: readonly [number, number],
  size: readonly [number, number],
): Quaternion {
  const a = onTrackball(from, size)
  const b = onTrackball(to, size)
  const axis = cross(a, b)
  return turnAbout(axis, Math.atan2(Math.hypot(...axis), dot(a, b)))
}

/** Inertia: the rotation of the last `ms` milliseconds, decayed by `exp(-ms / SPIN_TIME)`. */
export function spinOn(turn: Quaternion, ms: number): Quaternion {
  return scaleTurn(turn, Math.exp(-Math.max(0, ms) / SPIN_TIME))
}

export const SPIN_TIME = 350

/** The same axis, with `share` of the angle. */
export function scaleTurn(turn: Quaternion, share: number): Quaternion {
  const sine = Math.hypot(turn[0], turn[1], turn[2])
  return turnAbout([turn[0], turn[1], turn[2]], 2 * Math.atan2(sine, turn[3]) * share)
}

/** The angle of a rotation in radians. */
export function angleOf(turn: Quaternion): number {
  return 2 * Math.atan2(Math.hypot(turn[0], turn[1], turn[2]), Math.abs(turn[3]))
}

/** Nearer by `ZOOM_STEP` for each step; farther for negative ones. */
export function zoomCamera(camera: Camera, steps: number): Camera {
  return {
    ...camera,
    distance: Math.min(FARTHEST, Math.max(NEAREST, camera.distance * ZOOM_STEP ** steps)),
  }
}

/** Pans by CSS pixels to the right and down, in a view of this size. */
export function panCamera(camera: Camera, by: readonly [number, number], size: readonly [number, number]): Camera {
  const radiiPerPixel = (2 * Math.tan(VIEW_ANGLE / 2) * camera.distance) / Math.max(1, Math.min(...size))
  return { ...camera, pan: [camera.pan[0] + by[0] * radiiPerPixel, camera.pan[1] - by[1] * radiiPerPixel] }
}

/** Tangents of half the horizontal and vertical field of view. */
export function lensOf(width: number, height: number): readonly [number, number] {
  const tangent = Math.tan(VIEW_ANGLE / 2)
  const [wide, high] = [Math.max(1, width), Math.max(1, height)]
  return wide < high ? [tangent, (tangent * high) / wide] : [(tangent * wide) / high, tangent]
}

function normalize([x, y, z, w]: Quaternion): Quaternion {
  const length = Math.hypot(x, y, z, w)
  return length > 0 && Number.isFinite(length) ? [x / length, y / length, z / length, w / length] : [0, 0, 0, 1]
}

/** Bell's trackball: a sphere that continues as a hyperbola, so that every point is on it. */
function onTrackball(
  [x, y]: readonly [number, number],
  [width, height]: readonly [number, number],
): readonly [number, number, number] {
  const half = Math.max(1, Math.min(width, height)) / 2
  const [right, up] = [(x - width / 2) / half, (height / 2 - y) / half]
  const square = right * right + up * up
  const depth = square < 0.5 ? Math.sqrt(1 - square) : 0.5 / Math.sqrt(square)
  const length = Math.hypot(right, up, depth)
  return [right / length, up / length, depth / length]
}
