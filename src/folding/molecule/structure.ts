import type { Topology } from '../../protocol/visualization.ts'
import { FRAME_CAP } from '../shared/memory-limits.ts'
import { emptyTrajectory, frameBytes, frameFault, hasRoom, nextFrame, putFrame, type Trajectory } from './trajectory.ts'

/** What is known of the shape of one unit's molecule: its atoms, where they were, or only one of the two. */
export type Structure = {
  readonly topology: Topology | undefined
  readonly trajectory: Trajectory
  /** Frames that came and cannot be shown: of another number of atoms, or beyond the most that are kept. */
  readonly refused: number
}

export const emptyStructure: Structure = Object.freeze({ topology: undefined, trajectory: emptyTrajectory, refused: 0 })

const atomsOf = ({ topology }: Structure): number | undefined => topology?.names.length

/** With the atoms that its frames place. Frames of another number of atoms, which came before, go. */
export const withTopology = (structure: Structure, topology: Topology): Structure => {
  const { trajectory } = structure
  const atoms = topology.names.length
  const fits = (frame: Float32Array | undefined): boolean => frame === undefined || frame.length === atoms * 3
  if (trajectory.frames.every(fits)) return { ...structure, topology }
  const frames = trajectory.frames.map(frame => (fits(frame) ? frame : undefined))
  const count = frames.filter(frame => frame !== undefined).length
  return { topology, trajectory: { frames, count }, refused: structure.refused + trajectory.count - count }
}

/** With one more frame, unless it cannot belong to these atoms. */
export const withFrame = (structure: Structure, index: number, positions: Float32Array): Structure => {
  const atoms = atomsOf(structure)
  if (frameFault(index, positions, atoms) !== undefined || !hasRoom(structure.trajectory, index, positions.byteLength))
    return { ...structure, refused: structure.refused + 1 }
  return { ...structure, trajectory: putFrame(structure.trajectory, index, positions, atoms) }
}

/** With what was kept of it earlier, where nothing newer has come. Nothing of a molecule with other atoms is taken. */
export const withKept = (structure: Structure, kept: Structure): Structure => {
  if (structure.topology !== undefined && kept.topology !== undefined && atomsOf(structure) !== atomsOf(kept))
    return structure
  const whole =
    structure.topology === undefined && kept.topology !== undefined ? withTopology(structure, kept.topology) : structure
  const atoms = atomsOf(whole)
  const frames = Array.from(
    { length: Math.max(whole.trajectory.frames.length, kept.trajectory.frames.length) },
    (_, index) => whole.trajectory.frames[index] ?? fitting(kept.trajectory.frames[index], atoms),
  )
  return { ...whole, trajectory: { frames, count: frames.filter(frame => frame !== undefined).length } }
}

const fitting = (frame: Float32Array | undefined, atoms: number | undefined): Float32Array | undefined =>
  frame === undefined || (atoms !== undefined && frame.length !== atoms * 3) ? undefined : frame

/**
 * The frame to ask the client for, from which on it sends all: 0 brings the atoms too (docs/protocol.md §8). Undefined
 * when as much is there as is kept.
 */
export const frameToAskFor = (structure: Structure): number | undefined => {
  if (structure.topology === undefined) return 0
  const next = nextFrame(structure.trajectory)
  const bytes = (atomsOf(structure) ?? 0) * 3 * Float32Array.BYTES_PER_ELEMENT
  return next < FRAME_CAP && hasRoom(structure.trajectory, next, bytes) ? next : undefined
}

/** Bytes of its numbers, about what it takes in memory and on disk. */
export const bytesOf = ({ topology, trajectory }: Structure): number => {
  const frames = frameBytes(trajectory)
  if (topology === undefined) return frames
  const { elements, charges, radii, masses, bonds, names } = topology
  return (
    frames +
    [elements, charges, radii, masses, bonds].reduce((sum, { byteLength }) => sum + byteLength, 0) +
    names.length * 4
  )
}
