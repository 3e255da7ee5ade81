/*
 * Playback of a trajectory. Frames are counted from 0.
 */

/** Milliseconds per frame. docs/product.md §9: wiggle advances about every 0.1 s. */
export const WIGGLE_INTERVAL = 100
export const PLAYBACK_INTERVAL = 400

/** The next or previous frame, wrapping around. With fewer than two frames it stays. */
export const stepFrame = (frame: number, by: 1 | -1, count: number): number =>
  count < 2 ? frame : (frame + by + count) % count

/** The index of the same frame after frames were added or removed; the nearest one if it was removed. */
export const sameFrameIndex = (
  frame: number,
  before: readonly Float32Array[],
  after: readonly Float32Array[],
): number => {
  const shown = before[frame]
  const found = shown === undefined || after[frame] === shown ? frame : after.indexOf(shown)
  return Math.max(0, Math.min(found === -1 ? frame : found, after.length - 1))
}

/**
 * The fractional position between a frame and the next, `elapsed` of `every` milliseconds after it was shown. The last
 * frame stays until the first follows.
 */
export const interpolatedFrame = (frame: number, elapsed: number, every: number, count: number): number =>
  Math.max(frame, Math.min(frame + Math.min(1, elapsed / every), count - 1))
