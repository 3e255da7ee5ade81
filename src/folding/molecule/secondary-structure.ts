/*
 * The secondary structure of peptides from the positions of their backbone, by the patterns of the hydrogen bonds between them. Method:
 * W. Kabsch and C. Sander, Biopolymers 22 (1983), 2577–2637 (DSSP).
 */
import { computedOnce } from '../shared/computed-once.ts'
import { hydrogenBonds, type HydrogenBonds, type Residues } from './hydrogen-bonds.ts'
import type { AminoAcid } from './polymers.ts'
import { distance, pointAt } from './vectors.ts'

/** Stored in a `Uint8Array`, one byte a residue. */
export const LOOP = 0
export const HELIX = 1
export const STRAND = 2

/** Ångström: a C–N bond is shorter, unless a periodic boundary is between them. */
const LONGEST_PEPTIDE_BOND = 2.5
/** Residues between those of a bridge. */
const CLOSEST_BRIDGE = 3
/** Residues of a bulge in one strand of a ladder, and in the other. */
const BULGE = [1, 4] as const

type Peptides = readonly (readonly AminoAcid[])[]
type Structures = readonly Uint8Array[]

const knownOf = computedOnce((_: Peptides) => new WeakMap<Float32Array, Structures>())

/** `secondaryStructure`, a residue a step. */
export function* secondaryStructureSteps(peptides: Peptides, frame: Float32Array): Generator<undefined, Structures> {
  const known = knownOf(peptides).get(frame)
  if (known !== undefined) return known
  // An empty place between chains: nothing is bonded across it.
  const residues: Residues = peptides.flatMap(chain => [...chain, undefined])
  const bonds = yield* hydrogenBonds(residues, frame)
  const classes = classify(residues, bonds, breaksOf(residues, frame))
  let start = 0
  const structures = peptides.map(chain => {
    const chainClasses = classes.slice(start, start + chain.length)
    start += chain.length + 1
    return chainClasses
  })
  knownOf(peptides).set(frame, structures)
  return structures
}

/**
 * One class a residue: lists are those of `peptides`, one after another.
 *
 * @param frame x, y and z of each atom, in ångström
 */
export function secondaryStructure(peptides: Peptides, frame: Float32Array): Structures {
  const steps = secondaryStructureSteps(peptides, frame)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** For each residue whether its C is bonded to the N of the next. */
function breaksOf(residues: Residues, frame: Float32Array): readonly boolean[] {
  return residues.map((residue, at) => {
    const next = residues[at + 1]
    return (
      residue === undefined ||
      next === undefined ||
      !(distance(pointAt(frame, residue.c), pointAt(frame, next.n)) < LONGEST_PEPTIDE_BOND)
    )
  })
}

function classify(residues: Residues, bonds: HydrogenBonds, breaks: readonly boolean[]): Uint8Array {
  const classes = new Uint8Array(residues.length)
  markStrands(classes, bridgesOf(residues.length, bonds, breaks), breaks)
  for (const turn of [4, 3, 5]) markHelices(classes, turn, bonds, breaks)
  return classes
}

function isUnbroken(breaks: readonly boolean[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (breaks[at] !== false) return false
  return true
}

/** Two turns in a row are a helix. One of four takes residues from strands, one of five from other helices, one of three only free ones. */
function markHelices(classes: Uint8Array, turn: number, { accepts }: HydrogenBonds, breaks: readonly boolean[]): void {
  const isTurn = (at: number): boolean =>
    at >= 0 && at + turn < classes.length && isUnbroken(breaks, at, at + turn) && accepts(at, at + turn)
  const marked = classes.slice()
  for (let at = 1; at + turn < classes.length; at++) {
    if (!isTurn(at - 1) || !isTurn(at)) continue
    const turnClasses = classes.subarray(at, at + turn)
    if (turn === 4 || turnClasses.every(value => value === LOOP || (turn === 5 && value === HELIX)))
      marked.fill(HELIX, at, at + turn)
  }
  classes.set(marked)
}

type Bridge = { readonly a: number; readonly b: number; readonly isParallel: boolean }

function bridgesOf(count: number, { accepts, partners }: HydrogenBonds, breaks: readonly boolean[]): readonly Bridge[] {
  const isInside = (at: number): boolean => at > 0 && at + 1 < count && isUnbroken(breaks, at - 1, at + 1)
  const isParallel = (a: number, b: number): boolean =>
    (accepts(a - 1, b) && accepts(b, a + 1)) || (accepts(b - 1, a) && accepts(a, b + 1))
  const isAntiparallel = (a: number, b: number): boolean =>
    (accepts(a, b) && accepts(b, a)) || (accepts(a - 1, b + 1) && accepts(b - 1, a + 1))
  const found: Bridge[] = []
  for (let a = 1; a + 1 < count; a++) {
    if (!isInside(a)) continue
    // One bond of each pattern has its donor or acceptor in the first residue or beside it.
    const candidates = new Set([a - 1, a, a + 1].flatMap(near => partners(near)).flatMap(b => [b - 1, b, b + 1]))
    for (const b of [...candidates].sort((one, other) => one - other))
      if (b >= a + CLOSEST_BRIDGE && isInside(b) && (isParallel(a, b) || isAntiparallel(a, b)))
        found.push({ a, b, isParallel: isParallel(a, b) })
  }
  return found
}

type Ladder = { readonly isParallel: boolean; a: [number, number]; b: [number, number] }

/** Bridges in a row are a ladder, whose residues are strands; a bulge does not interrupt it. */
function markStrands(classes: Uint8Array, bridges: readonly Bridge[], breaks: readonly boolean[]): void {
  const ladders: Ladder[] = []
  for (const { a, b, isParallel } of bridges) {
    const ladder = ladders.find(
      one => one.isParallel === isParallel && a === one.a[1] + 1 && b === (isParallel ? one.b[1] + 1 : one.b[0] - 1),
    )
    if (ladder === undefined) ladders.push({ isParallel, a: [a, a], b: [b, b] })
    else {
      ladder.a[1] = a
      ladder.b[isParallel ? 1 : 0] = b
    }
  }
  ladders.sort((one, other) => one.a[0] - other.a[0])
  for (let at = 0; at < ladders.length; at++) {
    const one = ladders[at]
    for (let next = at + 1; one !== undefined && next < ladders.length; next++) {
      const other = ladders[next]
      if (other === undefined || !joins(one, other, breaks)) continue
      one.a = [one.a[0], Math.max(one.a[1], other.a[1])]
      one.b = [Math.min(one.b[0], other.b[0]), Math.max(one.b[1], other.b[1])]
      ladders.splice(next, 1)
      next = at
    }
  }
  for (const { a, b } of ladders) {
    if (a[0] === a[1]) continue
    for (const [from, to] of [a, b]) classes.fill(STRAND, from, to + 1)
  }
}

function joins(one: Ladder, other: Ladder, breaks: readonly boolean[]): boolean {
  if (one.isParallel !== other.isParallel) return false
  const gapA = other.a[0] - one.a[1] - 1
  const gapB = one.isParallel ? other.b[0] - one.b[1] - 1 : one.b[0] - other.b[1] - 1
  const [small, large] = BULGE
  const fits = gapA >= 0 && gapB >= 0 && Math.min(gapA, gapB) <= small && Math.max(gapA, gapB) <= large
  return (
    fits &&
    isUnbroken(breaks, one.a[0], other.a[1]) &&
    isUnbroken(breaks, Math.min(one.b[0], other.b[0]), Math.max(one.b[1], other.b[1]))
  )
}
