import { describe, expect, it } from 'vitest'
import type { Topology } from '../../protocol/client/visualization.ts'
import { conditionText, moleculeCondition, moleculeNotes, type MoleculeStatus } from './molecule-condition.ts'
import { emptyStructure, withFrame, withTopology, type Structure } from './structure.ts'

function topologyOf(atoms: number): Topology {
  return {
    names: Array.from({ length: atoms }, () => 'C'),
    elements: new Uint8Array(atoms),
    charges: new Float32Array(atoms),
    radii: new Float32Array(atoms),
    masses: new Float32Array(atoms),
    bonds: new Uint32Array(),
  }
}
const atoms = withTopology(emptyStructure, topologyOf(2))
const places = withFrame(emptyStructure, 0, new Float32Array(6))
const whole = withFrame(atoms, 0, new Float32Array(6))
const usual: MoleculeStatus = {
  structure: emptyStructure,
  frames: 3,
  isConnected: true,
  isAwaited: false,
  isRestoring: false,
}
function conditionOf(facts: Partial<MoleculeStatus>) {
  return moleculeCondition({ ...usual, ...facts })
}

describe('what can be shown of a molecule', () => {
  it.each<readonly [string, Partial<MoleculeStatus>, string]>([
    ['atoms with places', { structure: whole }, 'shown'],
    ['both, of a machine that is gone', { structure: whole, isConnected: false, frames: undefined }, 'shown'],
    ['atoms alone', { structure: atoms }, 'noPositions'],
    ['places alone', { structure: places }, 'noAtoms'],
    ['no atoms at all', { structure: withTopology(emptyStructure, topologyOf(0)) }, 'empty'],
    ['nothing yet, from the browser', { isRestoring: true, isConnected: false }, 'restoring'],
    ['nothing, of a disconnected machine', { isConnected: false }, 'disconnected'],
    ['nothing, of one that is loading', { isConnected: false, isAwaited: true, frames: undefined }, 'requested'],
    ['nothing, of a unit that is not there', { frames: undefined }, 'unknownUnit'],
    ['nothing, of a unit without frames', { frames: 0 }, 'noFrames'],
    ['nothing, of a unit that has frames', {}, 'requested'],
  ])('%s', (_, facts, condition) => expect(conditionOf(facts)).toBe(condition))

  it('has a text of its own each', () => {
    const words = (
      ['restoring', 'requested', 'disconnected', 'unknownUnit', 'noFrames', 'noPositions', 'noAtoms', 'empty'] as const
    ).map(condition => conditionText(condition, 0).text)
    expect(new Set([...words, conditionText('noPositions', 2).text]).size).toBe(words.length + 1)
  })
})

describe('notes beside a molecule', () => {
  const notesOf = (
    structure: Structure,
    facts: Partial<MoleculeStatus> = {},
    positions = new Float32Array(6),
    fault?: string,
  ) => moleculeNotes({ ...usual, ...facts, structure }, positions, fault)

  it('are empty when all is valid', () => expect(notesOf(whole)).toEqual([]))

  it('explain where it is from without the client or the unit', () => {
    expect(notesOf(whole, { isConnected: false, frames: undefined })).toEqual([
      'The machine is not connected. Showing the frames it sent before.',
    ])
    expect(notesOf(whole, { frames: undefined })).toEqual([
      'This work unit is no longer on the machine. Showing the frames stored in this browser.',
    ])
  })

  it('count what cannot be shown', () => {
    const faulty = withFrame(whole, 1, new Float32Array(9))
    expect(
      notesOf(
        faulty,
        {},
        Float32Array.of(0, NaN, 0, 1, 1, Infinity),
        'Expected list at viz/u/topology/atoms, found null',
      ),
    ).toEqual([
      '1 frame cannot be shown: wrong number of atoms, or over the limit (1,000 frames, 128 MB).',
      '2 atoms have no position in this frame and are not drawn.',
      'Some of the machine’s data is invalid. Expected list at viz/u/topology/atoms, found null.',
    ])
    expect(notesOf(whole, {}, Float32Array.of(0, NaN, 0, 1, 1, 1))).toEqual([
      '1 atom has no position in this frame and is not drawn.',
    ])
  })
})
