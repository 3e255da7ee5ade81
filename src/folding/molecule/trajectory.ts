/*
 * The frames of a unit's protein: immutable lists of Float32Array (x, y, z for each atom, in the core's own unit
 * of length), which Immer and the journal pass through untouched.
 */
import { FRAME_BYTES, FRAME_CAP } from '../shared/memory-limits.ts'

export type Trajectory = {
  /** By frame number; a gap is a frame that has not come. */
  readonly frames: readonly (Float32Array | undefined)[]
  /** How many frames have come. */
  readonly count: number
}

export type FrameFault = 'bad-index' | 'over-cap' | 'bad-length'

export const emptyTrajectory: Trajectory = Object.freeze({ frames: Object.freeze([]), count: 0 })

/** Bytes of all frames that have come. */
export const frameBytes = ({ frames }: Trajectory): number =>
  frames.reduce((sum, frame) => sum + (frame?.byteLength ?? 0), 0)

/** Whether a frame of so many bytes still has room. One that comes again takes no room beside itself. */
export const hasRoom = (trajectory: Trajectory, index: number, bytes: number, most = FRAME_BYTES): boolean =>
  frameBytes(trajectory) - (trajectory.frames[index]?.byteLength ?? 0) + bytes <= most

/** Why a frame cannot be kept; undefined when it can. Positions come in threes; `atoms` is the topology's count, if known. */
export const frameFault = (index: number, positions: Float32Array, atoms?: number): FrameFault | undefined => {
  if (!Number.isInteger(index) || index < 0) return 'bad-index'
  if (index >= FRAME_CAP) return 'over-cap'
  const wrong = atoms === undefined ? positions.length % 3 !== 0 : positions.length !== atoms * 3
  return wrong ? 'bad-length' : undefined
}

/** The trajectory with this frame; the same trajectory when the frame cannot be kept. */
export const putFrame = (
  trajectory: Trajectory,
  index: number,
  positions: Float32Array,
  atoms?: number,
): Trajectory => {
  if (frameFault(index, positions, atoms) !== undefined) return trajectory
  const isNew = trajectory.frames[index] === undefined
  const frames = trajectory.frames.slice()
  while (frames.length < index) frames.push(undefined)
  frames[index] = positions
  return { frames, count: trajectory.count + (isNew ? 1 : 0) }
}

/** The number of the first frame that has not come: the one to ask the client for. */
export const nextFrame = (trajectory: Trajectory): number => {
  const gap = trajectory.frames.indexOf(undefined)
  return gap === -1 ? trajectory.frames.length : gap
}

/** The frames that have come, in order, without gaps. */
export const arrivedFrames = (trajectory: Trajectory): readonly Float32Array[] =>
  trajectory.frames.filter(frame => frame !== undefined)
