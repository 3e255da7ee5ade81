import { describe, expect, it } from 'vitest'
import type { Topology } from '../../protocol/client/visualization.ts'
import { emptyStructure, nextFrameToRequest, withFrame, withStored, withTopology, type Structure } from './structure.ts'
import { MAX_FRAME_BYTES, MAX_FRAMES } from '../shared/memory-limits.ts'
import { arrivedFrames } from './trajectory.ts'

function topologyOf(atoms: number): Topology {
  return {
    names: Array.from({ length: atoms }, () => 'CA'),
    elements: new Uint8Array(atoms),
    charges: new Float32Array(atoms),
    radii: new Float32Array(atoms),
    masses: new Float32Array(atoms),
    bonds: new Uint32Array(),
  }
}
function frameOf(atoms: number, at = 0): Float32Array {
  return new Float32Array(atoms * 3).fill(at)
}
function structureOf(atoms: number, ...frames: readonly number[]): Structure {
  return frames.reduce(
    (structure, index) => withFrame(structure, index, frameOf(atoms, index)),
    withTopology(emptyStructure, topologyOf(atoms)),
  )
}
function shown({ trajectory }: Structure): readonly number[] {
  return arrivedFrames(trajectory).map(frame => frame[0] ?? NaN)
}

describe('a structure', () => {
  it('takes the frames of its atoms and counts those of another number', () => {
    const structure = withFrame(structureOf(2, 0, 1), 2, frameOf(3))
    expect({ shown: shown(structure), refused: structure.refused }).toEqual({ shown: [0, 1], refused: 1 })
  })

  it('lets go of frames that came before its atoms and are not theirs', () => {
    const before = withFrame(withFrame(emptyStructure, 0, frameOf(3, 5)), 1, frameOf(2, 7))
    const structure = withTopology(before, topologyOf(2))
    expect(shown(structure)).toEqual([7])
    expect(structure.trajectory.count).toBe(1)
    expect(structure.refused).toBe(1)
  })

  it('keeps frames alone until its atoms come', () => {
    const structure = withTopology(withFrame(emptyStructure, 0, frameOf(2)), topologyOf(2))
    expect(structure.topology?.names.length).toBe(2)
    expect(structure.trajectory.count).toBe(1)
  })
})

describe('what was kept of a structure', () => {
  it('fills its gaps, and never takes the place of what has come', () => {
    const come = withFrame(withTopology(emptyStructure, topologyOf(2)), 1, frameOf(2, 100))
    expect(shown(withStored(come, structureOf(2, 0, 1, 2)))).toEqual([0, 100, 2])
  })

  it('brings the atoms when they are missing', () => {
    const structure = withStored(withFrame(emptyStructure, 0, frameOf(2, 9)), structureOf(2, 0, 1))
    expect({ names: structure.topology?.names.length, shown: shown(structure) }).toEqual({ names: 2, shown: [9, 1] })
  })

  it('is nothing to a molecule with other atoms', () => {
    const come = structureOf(3, 0)
    expect(withStored(come, structureOf(2, 0, 1))).toBe(come)
  })
})

describe('the frame to ask for', () => {
  it('is 0 without atoms, then the first that is missing, and none when all that is kept is there', () => {
    const full: Structure = {
      ...structureOf(1),
      trajectory: { frames: Array.from({ length: MAX_FRAMES }, () => frameOf(1)), count: MAX_FRAMES },
    }
    expect(
      [
        emptyStructure,
        withFrame(emptyStructure, 3, frameOf(1)),
        structureOf(1),
        structureOf(1, 0, 1),
        structureOf(1, 0, 2),
        full,
      ].map(nextFrameToRequest),
    ).toEqual([0, 0, 0, 2, 1, undefined])
  })
})

describe('the bytes of all frames', () => {
  it('are bounded, and no more are asked for then', () => {
    const atoms = Math.floor(MAX_FRAME_BYTES / 4 / 12)
    let structure = withTopology(emptyStructure, topologyOf(atoms))
    // One array stands for all frames: what counts is what they say that they take.
    const frame = new Float32Array(atoms * 3)
    for (let index = 0; index < 6; index++) structure = withFrame(structure, index, frame)
    expect(structure.trajectory.count).toBe(4)
    expect(structure.refused).toBe(2)
    expect(nextFrameToRequest(structure)).toBeUndefined()
    expect(withFrame(structure, 3, frame).refused).toBe(2)
  })
})
