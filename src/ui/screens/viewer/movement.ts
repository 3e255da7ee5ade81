import type { ViewerStatistics } from '../../../viewer/viewer.types.ts'
import { interpolatedFrame } from '../../../folding/molecule/playback.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  isCoasting,
  isTurning,
  selectNextFrame,
  selectPace,
  selectPositions,
} from '../../../machines/screens/viewer/viewer.selectors.ts'

/** Animation since the previous frame of the screen. */
export type Movement = {
  /** Radians about the vertical axis. */
  readonly turn: number
  /** Milliseconds of coasting after a drag; 0 when not coasting. */
  readonly coasted: number
  /** Index of the trajectory frame to show; fractions are interpolated. */
  readonly place: number
}

/** Radians per millisecond: one rotation in 30 s. */
const TURN_RATE = (2 * Math.PI) / 30_000

/** Milliseconds. Longer gaps, such as those of a hidden page, are cut to this. */
const MAX_ELAPSED = 100

/**
 * The animation of a snapshot over `elapsed` milliseconds; `way`: the share of the way to the next trajectory
 * frame. The machine decides what moves; the progress per screen frame is computed here without events.
 */
export function movementOf(snapshot: ViewerSnapshot, elapsed: number, way: number): Movement {
  const [frame, pace] = [snapshot.context.frame, selectPace(snapshot)]
  return {
    turn: isTurning(snapshot) ? elapsed * TURN_RATE : 0,
    coasted: isCoasting(snapshot) ? elapsed : 0,
    place:
      pace === undefined || snapshot.context.prefersStill
        ? frame
        : interpolatedFrame(frame, selectNextFrame(snapshot), way),
  }
}

/** Pictures after which it is known what one takes: by then their quality is lower, where that helps. */
const FIRST_PICTURES = 16
/** Milliseconds of a picture with which nothing should move unasked. */
const SLOW = 120

/** Whether a picture takes too long to move at first; undefined until that is known. */
export function isSlow({
  framesDrawn,
  frameMs,
}: Pick<ViewerStatistics, 'framesDrawn' | 'frameMs'>): boolean | undefined {
  return framesDrawn < FIRST_PICTURES || frameMs === 0 ? undefined : frameMs > SLOW
}

/** How far playback is on the way from one frame to the next. */
export type Progress = {
  /** The share of the time of the shown frame that has passed, since its pace was set. */
  readonly share: number
  /** The share of its time, and of the way, where this way began. */
  readonly start: number
  readonly from: number
}

export const NO_PROGRESS: Progress = { share: 0, start: 0, from: 0 }

/** The share of the way to the next frame. */
export function wayOf({ share, start, from }: Progress): number {
  return start >= 1 ? from : from + (1 - from) * Math.min(1, (share - start) / (1 - start))
}

/** After the machine has changed: with another pace, or another frame that follows, it goes on where it is. */
export function progressAfter(
  progress: Progress,
  before: ViewerSnapshot | undefined,
  snapshot: ViewerSnapshot,
): Progress {
  if (before === undefined || selectPositions(before) !== selectPositions(snapshot)) return NO_PROGRESS
  const pace = selectPace(snapshot)
  if (pace === undefined) return NO_PROGRESS
  if (pace !== selectPace(before)) return { share: 0, start: 0, from: wayOf(progress) }
  if (nextPositions(before) === nextPositions(snapshot)) return progress
  return { share: progress.share, start: progress.share, from: 0 }
}

function nextPositions(snapshot: ViewerSnapshot): Float32Array | undefined {
  return snapshot.context.frames[selectNextFrame(snapshot)]
}

/**
 * Calls `onFrame` before each repaint with the milliseconds since the previous one, until it returns false. Paused while
 * the page is hidden.
 */
export function createAnimationLoop(
  window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>,
  onFrame: (elapsed: number) => boolean,
) {
  let request: number | undefined
  let last: number | undefined
  const run = (at: number): void => {
    request = undefined
    const elapsed = last === undefined ? 0 : Math.min(MAX_ELAPSED, Math.max(0, at - last))
    last = at
    if (onFrame(elapsed)) start()
    else last = undefined
  }
  const start = (): void => {
    request ??= window.requestAnimationFrame(run)
  }
  return {
    start,
    stop: (): void => {
      if (request !== undefined) window.cancelAnimationFrame(request)
      request = undefined
      last = undefined
    },
  }
}
