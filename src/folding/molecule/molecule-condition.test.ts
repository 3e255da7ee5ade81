import { describe, expect, it } from 'vitest'
import type { Topology } from '../../protocol/visualization.ts'
import { conditionWords, moleculeCondition, moleculeNotes, type MoleculeFacts } from './molecule-condition.ts'
import { emptyStructure, withFrame, withTopology, type Structure } from './structure.ts'

const topologyOf = (atoms: number): Topology => ({
  names: Array.from({ length: atoms }, () => 'C'),
  elements: new Uint8Array(atoms),
  charges: new Float32Array(atoms),
  radii: new Float32Array(atoms),
  masses: new Float32Array(atoms),
  bonds: new Uint32Array(),
})
const atoms = withTopology(emptyStructure, topologyOf(2))
const places = withFrame(emptyStructure, 0, new Float32Array(6))
const whole = withFrame(atoms, 0, new Float32Array(6))
const usual: MoleculeFacts = { structure: emptyStructure, unit: { frames: 3 }, isConnected: true, isRestoring: false }
const conditionOf = (facts: Partial<MoleculeFacts>) => moleculeCondition({ ...usual, ...facts })

describe('what can be shown of a molecule', () => {
  it.each<readonly [string, Partial<MoleculeFacts>, string]>([
    ['atoms with places', { structure: whole }, 'shown'],
    ['both, of a machine that is gone', { structure: whole, isConnected: false, unit: undefined }, 'shown'],
    ['atoms alone', { structure: atoms }, 'noPlaces'],
    ['places alone', { structure: places }, 'noAtoms'],
    ['no atoms at all', { structure: withTopology(emptyStructure, topologyOf(0)) }, 'empty'],
    ['nothing yet, from the browser', { isRestoring: true, isConnected: false }, 'restoring'],
    ['nothing, of a machine that is gone', { isConnected: false }, 'away'],
    ['nothing, of a unit that is not there', { unit: undefined }, 'unknownUnit'],
    ['nothing, of a unit without frames', { unit: {} }, 'early'],
    ['nothing, of a unit that has frames', {}, 'awaited'],
  ])('%s', (_, facts, condition) => expect(conditionOf(facts)).toBe(condition))

  it('is said in words of its own each time', () => {
    const words = (
      ['restoring', 'awaited', 'away', 'unknownUnit', 'early', 'noPlaces', 'noAtoms', 'empty'] as const
    ).map(condition => conditionWords(condition, 0).text)
    expect(new Set([...words, conditionWords('noPlaces', 2).text]).size).toBe(words.length + 1)
  })
})

describe('notes beside a molecule', () => {
  const notesOf = (
    structure: Structure,
    facts: Partial<MoleculeFacts> = {},
    positions = new Float32Array(6),
    fault?: string,
  ) => moleculeNotes({ ...usual, ...facts, structure }, positions, fault)

  it('are none when all is well', () => expect(notesOf(whole)).toEqual([]))

  it('say where it is from when the machine or the unit is gone', () => {
    expect(notesOf(whole, { isConnected: false, unit: undefined })).toEqual([
      'The machine is not connected: these are the frames that it sent before.',
    ])
    expect(notesOf(whole, { unit: undefined })).toEqual([
      'This unit is no longer on the machine: these are the frames that this browser has kept.',
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
      '1 frame cannot be shown: of another number of atoms, or beyond what is kept (1,000 frames, 128 MB).',
      '2 atoms without a place in this frame are not drawn.',
      'Part of what the machine sent cannot be used. Expected list at viz/u/topology/atoms, found null.',
    ])
    expect(notesOf(whole, {}, Float32Array.of(0, NaN, 0, 1, 1, 1))).toEqual([
      '1 atom without a place in this frame is not drawn.',
    ])
  })
})
