import type { Topology } from '../../protocol/client/visualization.ts'
import { MAX_FRAMES } from '../shared/memory-limits.ts'
import { emptyTrajectory, hasRoom, nextFrame, putFrame, type Trajectory } from './trajectory.ts'

/** A unit's molecule as received so far: atoms, frames, or only one of them. */
export type Structure = {
  readonly topology: Topology | undefined
  readonly trajectory: Trajectory
  /** Number of frames that cannot be shown: with another number of atoms, or over the limit. */
  readonly refused: number
}

export const emptyStructure: Structure = Object.freeze({ topology: undefined, trajectory: emptyTrajectory, refused: 0 })

function atomsOf({ topology }: Structure): number | undefined {
  return topology?.names.length
}

/** Sets the topology. Frames with another number of atoms are dropped. */
export function withTopology(structure: Structure, topology: Topology): Structure {
  const { trajectory } = structure
  const atoms = topology.names.length
  const fitted = trajectoryOf(trajectory.frames.map(frame => fitting(frame, atoms)))
  return { topology, trajectory: fitted, refused: structure.refused + trajectory.count - fitted.count }
}

/** Adds a frame, unless it does not fit the atoms or the limits. */
export function withFrame(structure: Structure, index: number, positions: Float32Array): Structure {
  const atoms = atomsOf(structure)
  const { trajectory, refused } = structure
  const put = hasRoom(trajectory, index, positions.byteLength)
    ? putFrame(trajectory, index, positions, atoms)
    : trajectory
  return put === trajectory ? { ...structure, refused: refused + 1 } : { ...structure, trajectory: put }
}

/** Fills in stored atoms and frames where nothing newer was received. A stored molecule with other atoms is ignored. */
export function withStored(structure: Structure, stored: Structure): Structure {
  if (structure.topology !== undefined && stored.topology !== undefined && atomsOf(structure) !== atomsOf(stored))
    return structure
  const whole =
    structure.topology === undefined && stored.topology !== undefined
      ? withTopology(structure, stored.topology)
      : structure
  const atoms = atomsOf(whole)
  const frames = Array.from(
    { length: Math.max(whole.trajectory.frames.length, stored.trajectory.frames.length) },
    (_, index) => whole.trajectory.frames[index] ?? fitting(stored.trajectory.frames[index], atoms),
  )
  return { ...whole, trajectory: trajectoryOf(frames) }
}

function trajectoryOf(frames: Trajectory['frames']): Trajectory {
  return { frames, count: frames.filter(frame => frame !== undefined).length }
}

function fitting(frame: Float32Array | undefined, atoms: number | undefined): Float32Array | undefined {
  return frame === undefined || (atoms !== undefined && frame.length !== atoms * 3) ? undefined : frame
}

/**
 * The frame from which to request the rest from the client; 0 requests the atoms too (docs/protocol.md §8). Undefined when
 * the limits are reached.
 */
export function nextFrameToRequest(structure: Structure): number | undefined {
  if (structure.topology === undefined) return 0
  const next = nextFrame(structure.trajectory)
  const bytes = (atomsOf(structure) ?? 0) * 3 * Float32Array.BYTES_PER_ELEMENT
  return next < MAX_FRAMES && hasRoom(structure.trajectory, next, bytes) ? next : undefined
}
