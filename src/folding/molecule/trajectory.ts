/*
 * The frames of a unit's molecule: immutable lists of Float32Array (x, y, z of each atom, in ångström).
 */
import { MAX_FRAME_BYTES, MAX_FRAMES } from '../shared/memory-limits.ts'

export type Trajectory = {
  /** By frame number; undefined for frames not received. */
  readonly frames: readonly (Float32Array | undefined)[]
  /** Number of frames received. */
  readonly count: number
}

export const emptyTrajectory: Trajectory = Object.freeze({ frames: Object.freeze([]), count: 0 })

export function frameBytes({ frames }: Trajectory): number {
  return frames.reduce((sum, frame) => sum + (frame?.byteLength ?? 0), 0)
}

/** Whether a frame of so many bytes fits the limit; it replaces an earlier frame of the same index. */
export function hasRoom(trajectory: Trajectory, index: number, bytes: number, most = MAX_FRAME_BYTES): boolean {
  return frameBytes(trajectory) - (trajectory.frames[index]?.byteLength ?? 0) + bytes <= most
}

/** `atoms`: the topology's count, if known. */
function isValidFrame(index: number, positions: Float32Array, atoms?: number): boolean {
  const fits = atoms === undefined ? positions.length % 3 === 0 : positions.length === atoms * 3
  return fits && Number.isInteger(index) && index >= 0 && index < MAX_FRAMES
}

/** Adds or replaces a frame; the same trajectory when the frame is invalid. */
export function putFrame(trajectory: Trajectory, index: number, positions: Float32Array, atoms?: number): Trajectory {
  if (!isValidFrame(index, positions, atoms)) return trajectory
  const isNew = trajectory.frames[index] === undefined
  const frames = trajectory.frames.slice()
  while (frames.length < index) frames.push(undefined)
  frames[index] = positions
  return { frames, count: trajectory.count + (isNew ? 1 : 0) }
}

/** The first frame not received. */
export function nextFrame(trajectory: Trajectory): number {
  const gap = trajectory.frames.indexOf(undefined)
  return gap === -1 ? trajectory.frames.length : gap
}

/** The received frames in order, without gaps. */
export function arrivedFrames(trajectory: Trajectory): readonly Float32Array[] {
  return trajectory.frames.filter(frame => frame !== undefined)
}
