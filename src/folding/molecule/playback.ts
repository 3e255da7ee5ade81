/*
 * Which frame of a trajectory is shown, counted from 0, and how it goes on to the next.
 */

/** Milliseconds from one frame to the next. docs/product.md §9: wiggle advances about every 0.1 s. */
export const WIGGLE_EVERY = 100
export const PLAYBACK_EVERY = 400

/** The next or the last frame; beyond the ends it goes on at the other one. With fewer than two frames nothing moves. */
export const stepFrame = (frame: number, by: 1 | -1, count: number): number =>
  count < 2 ? frame : (frame + by + count) % count

/** The same frame when others have come or gone; the nearest one when it is gone. */
export const frameAmong = (frame: number, before: readonly Float32Array[], after: readonly Float32Array[]): number => {
  const shown = before[frame]
  const found = shown === undefined || after[frame] === shown ? frame : after.indexOf(shown)
  return Math.max(0, Math.min(found === -1 ? frame : found, after.length - 1))
}

/**
 * The place on the way from a frame to the next, `elapsed` of `every` milliseconds after it came: a frame's number, and
 * a share. The last frame stays until the first one comes again.
 */
export const placeBetween = (frame: number, elapsed: number, every: number, count: number): number =>
  Math.max(frame, Math.min(frame + Math.min(1, elapsed / every), count - 1))
