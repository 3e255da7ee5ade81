/*
 * View space: the transformation of the molecule, the size of a pixel, and the part of the picture that it can cover.
 */
import { minus, mix, pointAt, rotationMatrix, turned } from '../folding/molecule/vectors.ts'
import { FIT_DISTANCE, lensOf } from './camera.ts'
import { LIGHTS, SIZES } from './lights.ts'
import type { Pose, Scene } from './scene.ts'
import type { Camera, ViewerAppearance } from './viewer.types.ts'

export type View = {
  readonly camera: Camera
  readonly look: ViewerAppearance
  /** Marked atoms, and one more under the pointer. */
  readonly marks: readonly number[]
  readonly pointed: number | undefined
  /** Of the canvas, in device pixels, and device pixels a CSS pixel. */
  readonly width: number
  readonly height: number
  readonly ratio: number
}

/** Pixels of a render target. */
type Size = { readonly width: number; readonly height: number }

/** Fog starts at this fraction of the radius in front of the sphere's center. */
const CLEAR = 0.55

export type Space = ReturnType<typeof spaceOf>

/** Of pixels. */
type Part = readonly [x: number, y: number, width: number, height: number]

export function spaceOf(
  { camera, look, width, height, ratio }: View,
  scene: Scene,
  pose: Pose,
  targets: Size,
  [right, up]: readonly [number, number],
) {
  const { radius } = scene.ball()
  const ghost = scene.ghost(look, pose)
  const frames = ghost === undefined ? [pose.from, pose.to] : [pose.from, pose.to, ghost]
  const reach = Math.max(...frames.map(frame => frame.reach()))
  const [wide, high] = lensOf(width, height)
  const turn = rotationMatrix(camera.rotation)
  const move = moveOf(camera, radius)
  const distance = camera.distance * radius
  const near = Math.max(NEAR, -move[2] - reach)
  // What is looked at closely stands out from what is behind it.
  const clear = radius * Math.min(1, camera.distance / FIT_DISTANCE + 0.2)
  const box = boxOf(move, reach, [wide, high], targets)
  const far = reach - move[2]
  const pixel = (2 * high) / targets.height
  const smallest = Math.max(0.55 * pixel, (1.05 * ratio * 2 * high) / height)
  const shift = [(right * 2) / targets.width, (up * 2) / targets.height] as const
  return {
    /** Size of a pixel at distance 1. */
    pixel,
    nearest: near,
    isWholeInView: isWholeInView(box, targets),
    /** Whether the camera is outside the molecule. */
    isOutside: -move[2] - reach > NEAR,
    /** What the molecule can cover. */
    box: pixelsIn(box, targets),
    /** Diameter in pixels of a carbon atom at the sphere's center. */
    typical: (2 * (SIZES[look.style].ball * TYPICAL_RADIUS + SIZES[look.style].fixed)) / distance / pixel,
    uniforms: {
      uTurn: turn,
      uMove: move,
      uLens: [wide, high],
      uShift: shift,
      uRay: [(2 * wide) / targets.width, (2 * high) / targets.height, (-1 - shift[0]) * wide, (-1 - shift[1]) * high],
      uRange: [near, 1 / (far - near), far - near, look.style === 1 ? 0.5 * pixel : smallest],
      uFog: [distance - CLEAR * clear, 1 / ((1 + CLEAR) * clear * 1.05), LIGHTS[look.theme].fog],
    },
  }
}

const TYPICAL_RADIUS = 1.7

/** Near plane in ångström. */
const NEAR = 1

/** Where the center of the sphere is in view space, in ångström. */
export function moveOf({ rotation, pivot, pan, distance }: Camera, radius: number): readonly [number, number, number] {
  const [x, y, z] = turned(rotationMatrix(rotation), pivot)
  return [(pan[0] - x) * radius, (pan[1] - y) * radius, (-distance - z) * radius]
}

type Box = readonly [x0: number, y0: number, x1: number, y1: number]

const EVERYTHING: Box = [-Infinity, -Infinity, Infinity, Infinity]

/** The bounding box of the sphere in pixels; everything when the camera is inside the sphere. */
function boxOf(
  [x, y, z]: readonly [number, number, number],
  reach: number,
  lens: readonly [number, number],
  { width, height }: Size,
): Box {
  const left = z * z - reach * reach
  if (left <= 0 || z >= 0) return EVERYTHING
  const side = (offset: number, tangent: number, size: number): readonly [number, number] => {
    const half = (reach * Math.sqrt(offset * offset + left)) / left / tangent
    const middle = (offset * -z) / left / tangent
    return [((middle - half + 1) / 2) * size - EDGE, ((middle + half + 1) / 2) * size + EDGE]
  }
  const [[x0, x1], [y0, y1]] = [side(x, lens[0], width), side(y, lens[1], height)]
  return [x0, y0, x1, y1]
}

/** Pixels around a box, for what is wider than its atoms by less than a pixel. */
const EDGE = 2

function isWholeInView([x0, y0, x1, y1]: Box, { width, height }: Size): boolean {
  return x0 >= 0 && y0 >= 0 && x1 <= width && y1 <= height
}

function pixelsIn([x0, y0, x1, y1]: Box, { width, height }: Size): Part {
  const [fromX, fromY] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))]
  return [
    fromX,
    fromY,
    Math.max(0, Math.min(width, Math.ceil(x1)) - fromX),
    Math.max(0, Math.min(height, Math.ceil(y1)) - fromY),
  ]
}

/** Both ends in view space of the lines between pairs of atoms, where both have a position before the eye. */
export function linesBetween(
  pairs: readonly (readonly number[])[],
  scene: Scene,
  pose: Pose,
  view: View,
): readonly (readonly (readonly number[])[])[] {
  return pairs
    .map(pair => pair.map(atom => eyePlace(scene, pose, view, atom)))
    .filter(ends => ends.every(end => end.every(Number.isFinite) && (end[2] ?? 0) < -NEAR))
}

/** Position of an atom in view space, in ångström; NaN for one without a position. */
export function eyePlace(scene: Scene, { from, to, share }: Pose, { camera }: View, atom: number): readonly number[] {
  const { center, radius } = scene.ball()
  const move = moveOf(camera, radius)
  const local = minus(mix(pointAt(from.positions, atom), pointAt(to.positions, atom), share), center)
  return turned(rotationMatrix(camera.rotation), local).map((value, row) => value + (move[row] ?? 0))
}
