/*
 * Hydrogen bonds between the backbones of amino acids, by the electrostatic energy of their N–H and C=O. Method: W. Kabsch and
 * C. Sander, Biopolymers 22 (1983), 2577–2637 (DSSP).
 */
import type { AminoAcid } from './polymers.ts'
import { nearPlaces } from './near-places.ts'
import { distance, pointAt, type Vector } from './vectors.ts'

/** kcal/mol Å: charges of 0.42 and 0.20 elementary charges on C=O and N–H. */
const COUPLING = 0.42 * 0.2 * 332
/** kcal/mol: of a hydrogen bond, at most. */
const BOND_ENERGY = -0.5
/** kcal/mol: of atoms that overlap. */
const LOWEST_ENERGY = -9.9
/** Ångström. */
const OVERLAP = 0.5
const NH_LENGTH = 1.01
/** Ångström between two Cα: beyond it, no hydrogen bond is possible. */
const REACH = 9
/** Residues of all chains after each other; undefined between two chains. */
export type Residues = readonly (AminoAcid | undefined)[]

/** Places of a residue in `backbonesOf`: x, y and z of each, NaN where there is none. */
const N = 0
const H = 3
const C = 6
const O = 9
const PLACES = 12

function backbonesOf(residues: Residues, frame: Float32Array): Float64Array {
  const backbones = new Float64Array(residues.length * PLACES).fill(NaN)
  residues.forEach((residue, at) => {
    if (residue === undefined) return
    const offset = at * PLACES
    backbones.set(pointAt(frame, residue.n), offset + N)
    backbones.set(pointAt(frame, residue.c), offset + C)
    backbones.set(pointAt(frame, residue.o), offset + O)
    const before = residues[at - 1]
    if (before === undefined || residue.isProline) return
    const [n, c, o] = [pointAt(frame, residue.n), pointAt(frame, before.c), pointAt(frame, before.o)]
    backbones.set(hydrogenOf(n, c, o), offset + H)
  })
  return backbones
}

/** The hydrogen of a peptide's nitrogen points away from the oxygen before it. */
function hydrogenOf(n: Vector, c: Vector, o: Vector): Vector {
  const length = distance(c, o) / NH_LENGTH
  return [n[0] + (c[0] - o[0]) / length, n[1] + (c[1] - o[1]) / length, n[2] + (c[2] - o[2]) / length]
}

/** Between two places of a list. */
function between(backbones: Float64Array, one: number, other: number): number {
  const x = (backbones[one] ?? NaN) - (backbones[other] ?? NaN)
  const y = (backbones[one + 1] ?? NaN) - (backbones[other + 1] ?? NaN)
  const z = (backbones[one + 2] ?? NaN) - (backbones[other + 2] ?? NaN)
  return Math.sqrt(x * x + y * y + z * z)
}

/** kcal/mol between the N–H of one residue and the C=O of another; NaN where one of them is missing. */
function energyOf(backbones: Float64Array, donor: number, acceptor: number): number {
  const [d, a] = [donor * PLACES, acceptor * PLACES]
  const on = between(backbones, a + O, d + N)
  const ch = between(backbones, a + C, d + H)
  const oh = between(backbones, a + O, d + H)
  const cn = between(backbones, a + C, d + N)
  if (Math.min(on, ch, oh, cn) < OVERLAP) return LOWEST_ENERGY
  return COUPLING * (1 / on + 1 / ch - 1 / oh - 1 / cn)
}

export type HydrogenBonds = {
  /** Whether the C=O of the first residue is bonded to the N–H of the second. */
  readonly accepts: (acceptor: number, donor: number) => boolean
  /** The residues that a residue has a hydrogen bond with. */
  readonly partners: (residue: number) => readonly number[]
}

/** Of each N–H, the two strongest bonds; a residue a step. */
export function* hydrogenBonds(residues: Residues, frame: Float32Array): Generator<undefined, HydrogenBonds> {
  const backbones = backbonesOf(residues, frame)
  const alphas = Float64Array.from(residues.flatMap(residue => pointAt(frame, residue?.ca ?? NaN)))
  const acceptors = new Int32Array(residues.length * 2).fill(-1)
  const energies = new Float64Array(residues.length * 2)
  const offer = (donor: number, acceptor: number, energy: number): void => {
    const [first, second] = [donor * 2, donor * 2 + 1]
    if (!(energy < BOND_ENERGY) || energy >= (energies[second] ?? 0)) return
    const isBest = energy < (energies[first] ?? 0)
    if (isBest) {
      acceptors[second] = acceptors[first] ?? -1
      energies[second] = energies[first] ?? 0
    }
    acceptors[isBest ? first : second] = acceptor
    energies[isBest ? first : second] = energy
  }
  const visitNear = nearPlaces(alphas, REACH)
  for (let donor = 0; donor < residues.length; donor++) {
    visitNear(pointAt(alphas, donor), acceptor => {
      // The C=O before an N–H is part of the same peptide bond.
      if (acceptor === donor || acceptor === donor - 1) return
      if (between(alphas, donor * 3, acceptor * 3) < REACH) offer(donor, acceptor, energyOf(backbones, donor, acceptor))
    })
    yield
  }
  const partners = residues.map((): number[] => [])
  acceptors.forEach((acceptor, place) => {
    const donor = Math.floor(place / 2)
    partners[acceptor]?.push(donor)
    if (acceptor >= 0) partners[donor]?.push(acceptor)
  })
  return {
    accepts: (acceptor, donor) => acceptors[donor * 2] === acceptor || acceptors[donor * 2 + 1] === acceptor,
    partners: residue => partners[residue] ?? [],
  }
}
