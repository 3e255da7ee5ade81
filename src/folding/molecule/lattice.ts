/*
 * Molecules in a periodic box, whose size the client does not send. A bond that is far too long goes through a wall of the
 * box: the way between its ends is a vector of the box's lattice.
 */
import { bondedAtoms, partnersOf, type Bonded } from './bonded.ts'
import { distance, dot, minus, pointAt, scaled, type Vector } from './vectors.ts'

/** Ångström: no bond is longer, and every box is larger. */
const LONGEST_BOND = 8
/** Where a larger share of the bonds is longer, they are no bonds of atoms. */
const MOST_BROKEN = 0.5
/** Ångström: two ways between bonded atoms that differ less are the same vector of the lattice. */
const SAME_VECTOR = 6
/** In three dimensions, with sums and differences of two and three. */
const MOST_VECTORS = 13
/** How many boxes away a place can be. */
const MOST_STEPS = 8

/** Atoms in an order in which each follows one that it is bonded to. */
export type BondOrder = {
  readonly atoms: Uint32Array
  /** The atom that each of `atoms` follows; itself for the first of a molecule. */
  readonly before: Uint32Array
}

export function bondOrder(atoms: number, bonds: Uint32Array): BondOrder {
  const bonded: Bonded = bondedAtoms(atoms, bonds)
  const order = new Uint32Array(atoms)
  const before = new Uint32Array(atoms)
  const isFound = new Uint8Array(atoms)
  let found = 0
  const add = (atom: number, follows: number): void => {
    if (isFound[atom] === 1) return
    isFound[atom] = 1
    before[found] = follows
    order[found++] = atom
  }
  for (let first = 0, at = 0; first < atoms; first++) {
    add(first, first)
    for (; at < found; at++) {
      const atom = order[at] ?? first
      for (const partner of partnersOf(bonded, atom)) add(partner, atom)
    }
  }
  return { atoms: order, before }
}

/** The frame with whole molecules, and the vectors of the lattice that were found; the same frame where none is broken. */
export function wholeFrame(
  { atoms, before }: BondOrder,
  frame: Float32Array,
): { readonly frame: Float32Array; readonly lattice: readonly Vector[] } {
  let broken = 0
  const sums: { sum: [number, number, number]; count: number }[] = []
  const way = (positions: Float32Array, at: number): Vector =>
    minus(pointAt(positions, atoms[at] ?? 0), pointAt(positions, before[at] ?? 0))
  for (let at = 0; at < atoms.length; at++) {
    const bond = way(frame, at)
    if (!(Math.hypot(...bond) > LONGEST_BOND)) continue
    broken += 1
    if (sums.length === MOST_VECTORS) continue
    const existing = sums.find(({ sum, count }) => {
      const mean = scaled(sum, 1 / count)
      return Math.min(distance(bond, mean), distance(bond, scaled(mean, -1))) < SAME_VECTOR
    })
    if (existing === undefined) {
      sums.push({ sum: [...bond], count: 1 })
      continue
    }
    const sign = dot(existing.sum, bond) < 0 ? -1 : 1
    for (const axis of [0, 1, 2] as const) existing.sum[axis] += bond[axis] * sign
    existing.count += 1
  }
  if (sums.length === 0 || broken > atoms.length * MOST_BROKEN) return { frame, lattice: [] }
  const lattice = sums.map(({ sum, count }) => scaled(sum, 1 / count))
  const whole = frame.slice()
  for (let at = 0; at < atoms.length; at++) {
    const bond = way(whole, at)
    if (Math.hypot(...bond) > LONGEST_BOND) move(whole, atoms[at] ?? 0, nearest(bond, lattice))
  }
  return { frame: whole, lattice }
}

/** The vector of the lattice that brings a place nearest to the origin. */
export function nearest(from: Vector, lattice: readonly Vector[]): Vector {
  const step: [number, number, number] = [0, 0, 0]
  const left: [number, number, number] = [...from]
  for (let round = 0; round < MOST_STEPS; round++)
    for (const vector of lattice)
      for (const sign of [1, -1]) {
        if (!(distance(left, scaled(vector, sign)) < Math.hypot(...left))) continue
        for (const axis of [0, 1, 2] as const) {
          left[axis] -= vector[axis] * sign
          step[axis] -= vector[axis] * sign
        }
      }
  return step
}

/** Moves an atom of a frame. */
export function move(frame: Float32Array, atom: number, by: Vector): void {
  for (const axis of [0, 1, 2] as const) frame[atom * 3 + axis] = (frame[atom * 3 + axis] ?? NaN) + by[axis]
}
