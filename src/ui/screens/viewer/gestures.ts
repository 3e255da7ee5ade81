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

/** CSS pixels from the top left of the canvas. */
export type Point = readonly [x: number, y: number]
type Size = readonly [width: number, height: number]

/** What hands did to the molecule since they were looked at last. */
export type Gesture = {
  readonly turn: Quaternion
  /** CSS pixels right and down. */
  readonly pan: Point
  /** Steps of docs/product.md §9; positive ones come closer. */
  readonly zoom: number
}

export const NO_TURN: Quaternion = [0, 0, 0, 1]

/** One finger, or the main button: the ball turns under it. */
export const turnGesture = (from: Point, to: Point, size: Size): Gesture => ({
  turn: dragTurn(from, to, size),
  pan: [0, 0],
  zoom: 0,
})

export const panGesture = (from: Point, to: Point): Gesture => ({
  turn: NO_TURN,
  pan: [to[0] - from[0], to[1] - from[1]],
  zoom: 0,
})

/** Two fingers: their middle moves it, their distance zooms, and their twist turns it about the line of sight. */
export const pinchGesture = (from: readonly [Point, Point], to: readonly [Point, Point]): Gesture => {
  const [before, after] = [spanOf(from), spanOf(to)]
  const isApart = before.length > 0 && after.length > 0
  return {
    turn: isApart ? turnAbout([0, 0, 1], before.angle - after.angle) : NO_TURN,
    pan: panGesture(before.middle, after.middle).pan,
    zoom: isApart ? Math.log(before.length / after.length) / Math.log(ZOOM_STEP) : 0,
  }
}

const spanOf = ([a, b]: readonly [Point, Point]) => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  return {
    length: Math.hypot(dx, dy),
    angle: Math.atan2(dy, dx),
    middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const,
  }
}

/** Pixels of a turned wheel that are one step. */
const WHEEL_STEP = 50
/** A pinch on a trackpad comes as a small turn of the wheel with Ctrl. */
const PINCH_STEP = 5
const LINE = 16
const MOST_STEPS = 6

export const wheelSteps = ({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number => {
  const pixels = deltaMode === 0 ? deltaY : deltaY * LINE
  const steps = -pixels / (ctrlKey ? PINCH_STEP : WHEEL_STEP)
  return Math.max(-MOST_STEPS, Math.min(MOST_STEPS, steps))
}

export const moved = (camera: Camera, { turn, pan, zoom }: Gesture, size: Size): Camera =>
  zoomCamera(panCamera({ ...camera, rotation: multiply(turn, camera.rotation) }, pan, size), zoom)
