import { expect, it } from 'vitest'
import { surroundingsOf } from './surroundings.ts'
import type { Molecule } from './molecule.ts'

it('a residue is shown with those that have an atom near to one of its own, whole', () => {
  const molecule = { residues: Uint16Array.of(1, 1, 2, 2, 3, 0, 4) } as unknown as Molecule
  const places = [0, 2, 5, 9, 11, 3, NaN]
  const frame = Float32Array.from(places.flatMap(x => [x, 0, 0]))
  expect(surroundingsOf(molecule, 1, frame)).toEqual({ center: [1, 0, 0], atoms: Uint8Array.of(1, 1, 1, 1, 0, 0, 0) })
  expect([0, 4, 9].map(residue => surroundingsOf(molecule, residue, frame))).toEqual([undefined, undefined, undefined])
})
