/*
 * The secondary structure of peptides from the positions of their backbone, by the hydrogen bonds between them. Method:
 * W. Kabsch and C. Sander, Biopolymers 22 (1983), 2577–2637 (DSSP).
 */
import type { AminoAcid } from './polymers.ts'

/** Stored in a `Uint8Array`, one byte a residue. */
export const LOOP = 0
export const HELIX = 1
export const STRAND = 2

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
/** Ångström: a C–N bond is shorter, unless a periodic boundary is between them. */
const LONGEST_PEPTIDE_BOND = 2.5
/** Residues between those of a bridge. */
const CLOSEST_BRIDGE = 3
/** Residues of a bulge in one strand of a ladder, and in the other. */
const BULGE = [1, 4] as const

/** Residues of all chains after each other; `-1` marks a break of the chain. */
type Residues = readonly (AminoAcid | undefined)[]

/**
 * One class a residue: lists are those of `peptides`, one after another.
 *
 * @param frame x, y and z of each atom, in ångström
 */
export const secondaryStructure = (
  peptides: readonly (readonly AminoAcid[])[],
  frame: Float32Array,
): readonly Uint8Array[] => {
  // An empty place between chains: nothing is bonded across it.
  const residues: Residues = peptides.flatMap(chain => [...chain, undefined])
  const classes = classify(residues, hydrogenBonds(residues, frame), breaksOf(residues, frame))
  let start = 0
  return peptides.map(chain => {
    const own = classes.slice(start, start + chain.length)
    start += chain.length + 1
    return own
  })
}

type Point = readonly [x: number, y: number, z: number]

const pointAt = (frame: Float32Array, atom: number): Point => [
  frame[atom * 3] ?? NaN,
  frame[atom * 3 + 1] ?? NaN,
  frame[atom * 3 + 2] ?? NaN,
]

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

/** For each residue whether its C is bonded to the N of the next. */
const breaksOf = (residues: Residues, frame: Float32Array): readonly boolean[] =>
  residues.map((residue, at) => {
    const next = residues[at + 1]
    return (
      residue === undefined ||
      next === undefined ||
      !(distance(pointAt(frame, residue.c), pointAt(frame, next.n)) < LONGEST_PEPTIDE_BOND)
    )
  })

/** Places of a residue in `backbonesOf`: x, y and z of each, NaN where there is none. */
const N = 0
const H = 3
const C = 6
const O = 9
const CA = 12
const PLACES = 15

const backbonesOf = (residues: Residues, frame: Float32Array): Float64Array => {
  const backbones = new Float64Array(residues.length * PLACES).fill(NaN)
  residues.forEach((residue, at) => {
    if (residue === undefined) return
    const own = at * PLACES
    backbones.set(pointAt(frame, residue.n), own + N)
    backbones.set(pointAt(frame, residue.c), own + C)
    backbones.set(pointAt(frame, residue.o), own + O)
    backbones.set(pointAt(frame, residue.ca), own + CA)
    const before = residues[at - 1]
    if (before === undefined || residue.isProline) return
    const [n, c, o] = [pointAt(frame, residue.n), pointAt(frame, before.c), pointAt(frame, before.o)]
    backbones.set(hydrogenOf(n, c, o), own + H)
  })
  return backbones
}

/** The hydrogen of a peptide's nitrogen points away from the oxygen before it. */
const hydrogenOf = (n: Point, c: Point, o: Point): Point => {
  const length = distance(c, o) / NH_LENGTH
  return [n[0] + (c[0] - o[0]) / length, n[1] + (c[1] - o[1]) / length, n[2] + (c[2] - o[2]) / length]
}

/** Between two places of `backbonesOf`. */
const between = (backbones: Float64Array, one: number, other: number): number => {
  const x = (backbones[one] ?? NaN) - (backbones[other] ?? NaN)
  const y = (backbones[one + 1] ?? NaN) - (backbones[other + 1] ?? NaN)
  const z = (backbones[one + 2] ?? NaN) - (backbones[other + 2] ?? NaN)
  return Math.sqrt(x * x + y * y + z * z)
}

/** kcal/mol between the N–H of one residue and the C=O of another; NaN where one of them is missing. */
const energyOf = (backbones: Float64Array, donor: number, acceptor: number): number => {
  const [d, a] = [donor * PLACES, acceptor * PLACES]
  const on = between(backbones, a + O, d + N)
  const ch = between(backbones, a + C, d + H)
  const oh = between(backbones, a + O, d + H)
  const cn = between(backbones, a + C, d + N)
  if (Math.min(on, ch, oh, cn) < OVERLAP) return LOWEST_ENERGY
  return COUPLING * (1 / on + 1 / ch - 1 / oh - 1 / cn)
}

type HydrogenBonds = {
  /** Whether the C=O of the first residue is bonded to the N–H of the second. */
  readonly accepts: (acceptor: number, donor: number) => boolean
  /** The residues that a residue has a hydrogen bond with. */
  readonly partners: (residue: number) => readonly number[]
}

/** Of each N–H, the two strongest bonds. */
const hydrogenBonds = (residues: Residues, frame: Float32Array): HydrogenBonds => {
  const backbones = backbonesOf(residues, frame)
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
  eachClosePair(backbones, residues.length, (donor, acceptor) => {
    // The C=O before an N–H is part of the same peptide bond.
    if (acceptor !== donor - 1) offer(donor, acceptor, energyOf(backbones, donor, acceptor))
  })
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

/** Ångström: farther out there is no molecule. The cells from there to its opposite have 15 bits. */
const FARTHEST = 1e5
const MIDDLE = 2 ** 14
const ROW = 2 ** 15

const cellOf = (place: number): number => Math.floor(place / REACH) + MIDDLE

/** Pairs of residues in both orders whose Cα are within `REACH`, by cells of that size. */
const eachClosePair = (backbones: Float64Array, count: number, visit: (one: number, other: number) => void): void => {
  const newest = new Map<number, number>()
  // The residue that was put into the same cell before.
  const older = new Int32Array(count).fill(-1)
  const keys = new Float64Array(count).fill(NaN)
  for (let at = 0; at < count; at++) {
    const [x = NaN, y = NaN, z = NaN] = backbones.subarray(at * PLACES + CA, at * PLACES + PLACES)
    if (!(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < FARTHEST)) continue
    const key = (cellOf(x) * ROW + cellOf(y)) * ROW + cellOf(z)
    keys[at] = key
    older[at] = newest.get(key) ?? -1
    newest.set(key, at)
  }
  for (let at = 0; at < count; at++) {
    const key = keys[at] ?? NaN
    if (Number.isNaN(key)) continue
    for (const i of [-ROW * ROW, 0, ROW * ROW])
      for (const j of [-ROW, 0, ROW])
        for (const k of [-1, 0, 1])
          for (let other = newest.get(key + i + j + k) ?? -1; other >= 0; other = older[other] ?? -1)
            if (other !== at && between(backbones, at * PLACES + CA, other * PLACES + CA) < REACH) visit(at, other)
  }
}

const classify = (residues: Residues, bonds: HydrogenBonds, breaks: readonly boolean[]): Uint8Array => {
  const classes = new Uint8Array(residues.length)
  markStrands(classes, bridgesOf(residues.length, bonds, breaks), breaks)
  for (const turn of [4, 3, 5]) markHelices(classes, turn, bonds, breaks)
  return classes
}

const isUnbroken = (breaks: readonly boolean[], from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (breaks[at] !== false) return false
  return true
}

/** Two turns in a row are a helix. One of four takes residues from strands, one of five from other helices, one of three only free ones. */
const markHelices = (
  classes: Uint8Array,
  turn: number,
  { accepts }: HydrogenBonds,
  breaks: readonly boolean[],
): void => {
  const isTurn = (at: number): boolean =>
    at >= 0 && at + turn < classes.length && isUnbroken(breaks, at, at + turn) && accepts(at, at + turn)
  const marked = classes.slice()
  for (let at = 1; at + turn < classes.length; at++) {
    if (!isTurn(at - 1) || !isTurn(at)) continue
    const own = classes.subarray(at, at + turn)
    if (turn === 4 || own.every(value => value === LOOP || (turn === 5 && value === HELIX)))
      marked.fill(HELIX, at, at + turn)
  }
  classes.set(marked)
}

type Bridge = { readonly a: number; readonly b: number; readonly isParallel: boolean }

const bridgesOf = (
  count: number,
  { accepts, partners }: HydrogenBonds,
  breaks: readonly boolean[],
): readonly Bridge[] => {
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
const markStrands = (classes: Uint8Array, bridges: readonly Bridge[], breaks: readonly boolean[]): void => {
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

const joins = (one: Ladder, other: Ladder, breaks: readonly boolean[]): boolean => {
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
