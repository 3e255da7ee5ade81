import { placeBetween } from '../../../folding/molecule/playback.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  isCoasting,
  isTurning,
  prefersStill,
  selectFrame,
  selectFrameCount,
  selectPace,
} from '../../../machines/screens/viewer/viewer.selectors.ts'

/** What moves by itself, since the picture before. */
export type Movement = {
  /** Radians about the upright axis. */
  readonly turn: number
  /** Milliseconds that a swing has gone on; 0 for none. */
  readonly coasted: number
  /** The frame to show, from 0; a fraction is on the way to the next. */
  readonly place: number
}

/** Radians a millisecond: once around in half a minute. */
const TURN_RATE = (2 * Math.PI) / 30_000

/** After a pause, such as that of a hidden page, things go on from where they were. In milliseconds. */
const LONGEST = 100

/**
 * What a snapshot comes to `elapsed` milliseconds after the picture before; `shownFor`: how long its frame has been
 * shown. The machine says what moves; how far that is at each picture is not worth an event.
 */
export const movementOf = (snapshot: ViewerSnapshot, elapsed: number, shownFor: number): Movement => {
  const [frame, pace] = [selectFrame(snapshot), selectPace(snapshot)]
  return {
    turn: isTurning(snapshot) ? elapsed * TURN_RATE : 0,
    coasted: isCoasting(snapshot) ? elapsed : 0,
    place:
      pace === undefined || prefersStill(snapshot)
        ? frame
        : placeBetween(frame, shownFor, pace, selectFrameCount(snapshot)),
  }
}

/**
 * Calls `beat` before each picture of the screen, with the milliseconds since the one before, until it says that nothing
 * moves any more. A hidden page has no pictures.
 */
export const createPulse = (
  window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>,
  beat: (elapsed: number) => boolean,
) => {
  let request: number | undefined
  let last: number | undefined
  const run = (at: number): void => {
    request = undefined
    const elapsed = last === undefined ? 0 : Math.min(LONGEST, Math.max(0, at - last))
    last = at
    if (beat(elapsed)) start()
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
