import { interpolatedFrame } from '../../../folding/molecule/playback.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  isCoasting,
  isTurning,
  prefersReducedMotion,
  selectFrame,
  selectFrameCount,
  selectPace,
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
 * The animation of a snapshot over `elapsed` milliseconds; `shownFor`: milliseconds for which its trajectory frame has
 * been shown. The machine decides what moves; the progress per screen frame is computed here without events.
 */
export const movementOf = (snapshot: ViewerSnapshot, elapsed: number, shownFor: number): Movement => {
  const [frame, pace] = [selectFrame(snapshot), selectPace(snapshot)]
  return {
    turn: isTurning(snapshot) ? elapsed * TURN_RATE : 0,
    coasted: isCoasting(snapshot) ? elapsed : 0,
    place:
      pace === undefined || prefersReducedMotion(snapshot)
        ? frame
        : interpolatedFrame(frame, shownFor, pace, selectFrameCount(snapshot)),
  }
}

/**
 * Calls `onFrame` before each repaint with the milliseconds since the previous one, until it returns false. Paused while
 * the page is hidden.
 */
export const createAnimationLoop = (
  window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>,
  onFrame: (elapsed: number) => boolean,
) => {
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
