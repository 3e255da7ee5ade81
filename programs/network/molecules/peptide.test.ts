import { describe, expect, it } from 'vitest'
import { foldByName, folds } from './folds.ts'
import { createMoleculeModel } from './model.ts'
import { createPeptide } from './peptide.ts'
import type { Peptide } from './peptide.ts'
import { angleOf, distance, radiusOfGyration, torsionOf } from '../../../test/network/geometry.ts'
import { cross, dot, place, subtract } from './vector.ts'
import type { Vector } from './vector.ts'

const foldNames = Object.keys(folds)

/** C, H, N, O, S of the free, uncharged amino acids. */
const aminoAcids: Readonly<Record<string, readonly number[]>> = {
  A: [3, 7, 1, 2, 0],
  R: [6, 14, 4, 2, 0],
  N: [4, 8, 2, 3, 0],
  D: [4, 7, 1, 4, 0],
  C: [3, 7, 1, 2, 1],
  Q: [5, 10, 2, 3, 0],
  E: [5, 9, 1, 4, 0],
  G: [2, 5, 1, 2, 0],
  H: [6, 9, 3, 2, 0],
  I: [6, 13, 1, 2, 0],
  L: [6, 13, 1, 2, 0],
  K: [6, 14, 2, 2, 0],
  M: [5, 11, 1, 2, 1],
  F: [9, 11, 1, 2, 0],
  P: [5, 9, 1, 2, 0],
  S: [3, 7, 1, 3, 0],
  T: [4, 9, 1, 3, 0],
  W: [11, 12, 2, 2, 0],
  Y: [9, 11, 1, 3, 0],
  V: [5, 11, 1, 2, 0],
}
const chargeOf: Readonly<Record<string, number>> = { D: -1, E: -1, K: 1, R: 1 }
const everyResidue = 'GARNDCQEHILKMFPSTWYV'

function netCharge(sequence: string): number {
  return Array.from(sequence).reduce((sum, code) => sum + (chargeOf[code] ?? 0), 0)
}

/** The composition of a peptide: its amino acids minus a water for each bond, plus a proton for each charge. */
function expectedFormula(sequence: string): readonly number[] {
  const sum = [0, 1, 2, 3, 4].map(element =>
    Array.from(sequence).reduce((total, code) => total + (aminoAcids[code]?.[element] ?? Number.NaN), 0),
  )
  const waters = sequence.length - 1
  return [sum[0], (sum[1] ?? 0) - 2 * waters + netCharge(sequence), sum[2], (sum[3] ?? 0) - waters, sum[4]].map(Number)
}

function formulaOf(peptide: Peptide): readonly number[] {
  return (['C', 'H', 'N', 'O', 'S'] as const).map(
    element => peptide.atoms.filter(atom => atom.element === element).length,
  )
}

const sequences = [everyResidue, ...foldNames.map(name => foldByName(name).sequence)]

describe.each(sequences)('the peptide %s', sequence => {
  const peptide = createPeptide(sequence)
  it('has the right atoms', () => {
    expect(formulaOf(peptide)).toEqual(expectedFormula(sequence))
  })
  it('has the integer charge of its side chains and ends', () => {
    expect(peptide.atoms.reduce((sum, { charge }) => sum + charge, 0)).toBeCloseTo(netCharge(sequence), 6)
  })
  it('is one molecule with as many bonds as atoms, rings counted', () => {
    const rings = Array.from(sequence).reduce((sum, code) => sum + ({ F: 1, Y: 1, H: 1, P: 1, W: 2 }[code] ?? 0), 0)
    expect(peptide.bonds).toHaveLength(peptide.atoms.length - 1 + rings)
    const seen = new Set([0])
    for (const atom of seen) for (const next of peptide.neighbors[atom] ?? []) seen.add(next)
    expect(seen.size).toBe(peptide.atoms.length)
  })
  it('gives every carbon four neighbors, or three where it is planar', () => {
    const wrong = peptide.atoms.filter(({ element }, index) => {
      const count = peptide.neighbors[index]?.length ?? 0
      return (element === 'C' && count !== 4 && count !== 3) || (element === 'H' && count !== 1)
    })
    expect(wrong).toEqual([])
  })
})

it('rejects unknown amino acids', () => {
  expect(() => createPeptide('GAX')).toThrow('No amino acid has the code "X"')
})

describe('placing an atom', () => {
  const a: Vector = [1, 2, 0.5]
  const b: Vector = [0, 0.3, 0]
  const c: Vector = [1.2, 0, 0.4]
  it.each([
    [1.5, 110, 60],
    [1.2, 95, -170],
    [1.33, 121.7, 180],
  ])('%f Å away at %f° and %f° gives these back', (length, angle, torsion) => {
    const d = place(a, b, c, length, angle, torsion)
    expect(distance(c, d)).toEqual(expect.closeTo(length, 6))
    expect(angleOf(b, c, d)).toEqual(expect.closeTo(angle, 6))
    expect(Math.cos((torsionOf(a, b, c, d) - torsion) * (Math.PI / 180))).toEqual(expect.closeTo(1, 6))
  })
  it('counts a torsion positive clockwise, seen along the middle bond', () => {
    // Looking along -z from b to c with x up: y is on the left.
    expect(torsionOf([1, 0, 1], [0, 0, 1], [0, 0, 0], [0, -1, 0])).toBeCloseTo(90, 6)
  })
})

type Built = {
  readonly peptide: Peptide
  readonly at: (residue: number, name: string) => Vector
  readonly positions: readonly Vector[]
}

function build(name: string, share: number): Built {
  const peptide = createPeptide(foldByName(name).sequence)
  const positions = createMoleculeModel(name, 1).positions(share, 11)
  const at = (residue: number, atom: string): Vector => {
    const index = peptide.atoms.findIndex(each => each.residue === residue && each.name === atom)
    const position = positions[index]
    if (position === undefined) throw new Error(`Residue ${residue} has no ${atom}`)
    return position
  }
  return { peptide, at, positions }
}

const shares = [0, 0.3, 0.5, 0.7, 1]

describe.each(foldNames)('%s on its way', name => {
  it.each(shares)('keeps the backbone of Engh and Huber at %f', share => {
    const { peptide, at } = build(name, share)
    const codes = Array.from(peptide.sequence)
    const worst = { length: 0, angle: 0, omega: 0 }
    for (const [residue, code] of codes.entries()) {
      if (code === 'G' || code === 'P' || residue === 0) continue
      const before = residue - 1
      const lengths = [
        [at(before, 'C'), at(residue, 'N'), 1.329],
        [at(residue, 'N'), at(residue, 'CA'), 1.458],
        [at(residue, 'CA'), at(residue, 'C'), 1.525],
      ] as const
      for (const [a, b, length] of lengths) worst.length = Math.max(worst.length, Math.abs(distance(a, b) - length))
      const angles = [
        [angleOf(at(before, 'C'), at(residue, 'N'), at(residue, 'CA')), 121.7],
        [angleOf(at(residue, 'N'), at(residue, 'CA'), at(residue, 'C')), 111.2],
        [
          angleOf(at(residue, 'N'), at(residue, 'CA'), at(residue, 'CB')),
          code === 'A' ? 110.4 : 'IVT'.includes(code) ? 111.5 : 110.5,
        ],
      ] as const
      for (const [angle, ideal] of angles) worst.angle = Math.max(worst.angle, Math.abs(angle - ideal))
      worst.omega = Math.max(
        worst.omega,
        180 - Math.abs(torsionOf(at(before, 'CA'), at(before, 'C'), at(residue, 'N'), at(residue, 'CA'))),
      )
    }
    expect(worst.length).toBeCloseTo(0, 6)
    expect(worst.angle).toBeCloseTo(0, 4)
    expect(worst.omega).toBeLessThan(3)
  })

  it.each(shares)('has no bond that is too long or too short at %f, rings included', share => {
    const { peptide, positions } = build(name, share)
    const odd = peptide.bonds.filter(([a, b]) => {
      const [first, second] = [positions[a], positions[b]]
      const [one, other] = [peptide.atoms[a]?.element, peptide.atoms[b]?.element]
      if (first === undefined || second === undefined) return true
      const length = distance(first, second)
      if (one === 'H' || other === 'H') return length < 0.95 || length > 1.35
      return one === 'S' || other === 'S' ? length < 1.75 || length > 1.85 : length < 1.2 || length > 1.6
    })
    expect(odd).toEqual([])
  })

  it('is made of L amino acids: seen from the hydrogen, CO, R and N go clockwise', () => {
    const { peptide, at } = build(name, 1)
    const hands = Array.from(peptide.sequence).flatMap((code, residue) => {
      if (code === 'G') return []
      const alpha = at(residue, 'CA')
      const view = subtract(alpha, at(residue, 'HA'))
      return [Math.sign(dot(cross(subtract(at(residue, 'C'), alpha), subtract(at(residue, 'CB'), alpha)), view))]
    })
    expect(new Set(hands)).toEqual(new Set([1]))
  })

  it.each(shares)('lets no two heavy atoms run into each other at %f', share => {
    const { peptide, positions } = build(name, share)
    let nearest = Number.POSITIVE_INFINITY
    for (let a = 0; a < positions.length; a++) {
      if (peptide.atoms[a]?.element === 'H') continue
      const bonded = new Set([a])
      for (let step = 0; step < 3; step++)
        for (const each of [...bonded]) for (const next of peptide.neighbors[each] ?? []) bonded.add(next)
      for (let b = a + 1; b < positions.length; b++) {
        const [first, second] = [positions[a], positions[b]]
        if (peptide.atoms[b]?.element === 'H' || bonded.has(b) || first === undefined || second === undefined) continue
        nearest = Math.min(nearest, distance(first, second))
      }
    }
    expect(nearest).toBeGreaterThan(1.9)
  })

  it('folds: it gets much smaller, and ends compact', () => {
    const radius = (share: number): number => radiusOfGyration(build(name, share).positions)
    const count = createPeptide(foldByName(name).sequence).sequence.length
    // Radius of gyration of folded proteins: about 2.2 N^0.38 Å (Skolnick's and others' fits to the PDB), some more with side chains.
    expect(radius(1)).toBeLessThan(2.2 * count ** 0.38 * 1.35)
    expect(radius(0) / radius(1)).toBeGreaterThan(1.5)
  })
})

describe('villin, folded', () => {
  const { peptide, at } = build('villin', 1)
  const helices = [
    [2, 9],
    [13, 17],
    [22, 31],
  ] as const

  it('has three right-handed helices', () => {
    for (const [first, last] of helices) {
      for (let residue = first; residue + 3 <= last; residue++) {
        const turn = torsionOf(at(residue, 'CA'), at(residue + 1, 'CA'), at(residue + 2, 'CA'), at(residue + 3, 'CA'))
        expect(turn).toBeGreaterThan(25)
        expect(turn).toBeLessThan(75)
      }
    }
  })

  it('has its three phenylalanines in the core', () => {
    const core = [5, 9, 16]
    expect(core.map(residue => peptide.sequence[residue])).toEqual(['F', 'F', 'F'])
    const farthest = Math.max(...core.flatMap(a => core.map(b => distance(at(a, 'CB'), at(b, 'CB')))))
    expect(farthest).toBeLessThan(9.5)
  })
})
