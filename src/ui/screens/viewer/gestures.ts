import {
  dragTurn,
  panCamera,
  turnAbout,
  zoomCamera,
  multiply,
  ZOOM_STEP,
  type Quaternion,
} from '../../../viewer/camera.ts'
import type { Camera } from '../../../viewer/viewer.types.ts'

/** CSS pixels from the top left corner of the canvas. */
export type PointerPosition = readonly [x: number, y: number]
type Size = readonly [width: number, height: number]

/** Camera movement by pointer input since the previous event. */
export type Gesture = {
  readonly turn: Quaternion
  /** CSS pixels to the right and down. */
  readonly pan: PointerPosition
  /** Zoom steps (docs/product.md §9); positive is closer. */
  readonly zoom: number
}

export const NO_TURN: Quaternion = [0, 0, 0, 1]

/** One finger or the primary button: trackball rotation. */
export function turnGesture(from: PointerPosition, to: PointerPosition, size: Size): Gesture {
  return {
    turn: dragTurn(from, to, size),
    pan: [0, 0],
    zoom: 0,
  }
}

export function panGesture(from: PointerPosition, to: PointerPosition): Gesture {
  return {
    turn: NO_TURN,
    pan: [to[0] - from[0], to[1] - from[1]],
    zoom: 0,
  }
}

/** Two fingers: pan by their midpoint, zoom by their distance, and rotate about the viewing axis by their angle. */
export function pinchGesture(
  from: readonly [PointerPosition, PointerPosition],
  to: readonly [PointerPosition, PointerPosition],
): Gesture {
  const [before, after] = [spanOf(from), spanOf(to)]
  const isApart = before.length > 0 && after.length > 0
  return {
    turn: isApart ? turnAbout([0, 0, 1], before.angle - after.angle) : NO_TURN,
    pan: panGesture(before.middle, after.middle).pan,
    zoom: isApart ? Math.log(before.length / after.length) / Math.log(ZOOM_STEP) : 0,
  }
}

function spanOf([a, b]: readonly [PointerPosition, PointerPosition]) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  return {
    length: Math.hypot(dx, dy),
    angle: Math.atan2(dy, dx),
    middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const,
  }
}

/** Wheel pixels per zoom step. */
const WHEEL_STEP = 50
/** Browsers report a trackpad pinch as small wheel movements with Ctrl. */
const PINCH_STEP = 5
const LINE = 16
const MAX_STEPS = 6

export function wheelSteps({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = deltaMode === 0 ? deltaY : deltaY * LINE
  const steps = -pixels / (ctrlKey ? PINCH_STEP : WHEEL_STEP)
  return Math.max(-MAX_STEPS, Math.min(MAX_STEPS, steps))
}

export function applyGesture(camera: Camera, { turn, pan, zoom }: Gesture, size: Size): Camera {
  return zoomCamera(panCamera({ ...camera, rotation: multiply(turn, camera.rotation) }, pan, size), zoom)
}
