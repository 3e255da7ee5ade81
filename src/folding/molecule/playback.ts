/*
 * Playback of a trajectory. Frames are counted from 0.
 */

/** Milliseconds per frame. docs/product.md §9: wiggle advances about every 0.1 s. */
export const WIGGLE_INTERVAL = 100
const PLAYBACK_INTERVAL = 400

/** Factors of the pace of playback. */
export const SPEEDS = [0.5, 1, 2, 4] as const
export type Speed = (typeof SPEEDS)[number]

export function playbackInterval(speed: Speed): number {
  return PLAYBACK_INTERVAL / speed
}

/** The next or previous frame, wrapping around. With fewer than two frames it stays. */
export function stepFrame(frame: number, by: 1 | -1, count: number): number {
  return count < 2 ? frame : (frame + by + count) % count
}

/** The frame that playback shows, and which way it goes. */
export type Playhead = { readonly frame: number; readonly direction: 1 | -1 }

/** The next frame of playback: after the last the first again, or back and forth. */
export function advance({ frame, direction }: Playhead, count: number, swings: boolean): Playhead {
  if (!swings || count < 2) return { frame: stepFrame(frame, 1, count), direction: 1 }
  const turned = frame + direction < 0 || frame + direction >= count ? (direction === 1 ? -1 : 1) : direction
  return { frame: frame + turned, direction: turned }
}

/** The index of the same frame after frames were added or removed; the nearest one if it was removed. */
export function sameFrameIndex(frame: number, before: readonly Float32Array[], after: readonly Float32Array[]): number {
  const shown = before[frame]
  const found = shown === undefined || after[frame] === shown ? frame : after.indexOf(shown)
  return Math.max(0, Math.min(found === -1 ? frame : found, after.length - 1))
}

/** The place between a frame and the next, after a share of its time. Between the last and the first there is none. */
export function interpolatedFrame(frame: number, next: number, share: number): number {
  return Math.abs(next - frame) === 1 ? frame + (next - frame) * Math.min(1, share) : frame
}
