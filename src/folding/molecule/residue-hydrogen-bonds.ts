/*
 * The hydrogen bonds of one residue, of its side chain too, by distances and angles: for pictures. Those between backbones, by energy,
 * are in `hydrogen-bonds.ts`.
 */
import { CARBON, HYDROGEN, NITROGEN, OXYGEN } from './atoms.ts'
import { bondedAtoms, partnersOf } from './bonded.ts'
import { isSolvent } from './kinds.ts'
import type { Molecule } from './molecule.ts'
import { distance, dot, minus, pointAt, scaled, unit, type Vector } from './vectors.ts'

/** Ångström between donor and acceptor, and between a hydrogen and the acceptor. */
const LONGEST = 3.5
const LONGEST_FROM_HYDROGEN = 2.5
/** Cosines of the smallest angle at a hydrogen, 120°, and of the smallest one at a donor whose hydrogens are not known, 90°. */
const AT_HYDROGEN = -0.5
const AT_DONOR = 0
/** Atoms that so few bonds join are near each other anyway. */
const JOINED = 3

/** Two atoms: the hydrogen, or the donor where hydrogens are not known, and the acceptor. */
type AtomPair = readonly [from: number, to: number]

/** Those in which an atom of the residue, counted from 1, takes part; without the solvent. */
export function residueHydrogenBonds(molecule: Molecule, residue: number, frame: Float32Array): readonly AtomPair[] {
  const { classes, bonds, kinds, residues } = molecule
  const bonded = bondedAtoms(classes.length, bonds)
  const hasHydrogens = classes.includes(HYDROGEN)
  const partners = (atom: number, isHydrogen: boolean): readonly number[] =>
    Array.from(partnersOf(bonded, atom)).filter(other => (classes[other] === HYDROGEN) === isHydrogen)
  const isPolar = (atom: number): boolean => classes[atom] === NITROGEN || classes[atom] === OXYGEN
  const heavy = (atom: number): readonly number[] => partners(atom, false)

  /** One of C=O, of an acid, or of a phosphate. */
  const isBare = (oxygen: number): boolean =>
    heavy(oxygen).some(
      center =>
        classes[center] !== CARBON ||
        (heavy(center).length > 2 &&
          heavy(center)
            .filter(isPolar)
            .some(at => at !== oxygen)),
    )
  const gives = (atom: number): boolean =>
    hasHydrogens
      ? partners(atom, true).length > 0
      : classes[atom] === NITROGEN
        ? heavy(atom).length < 3
        : heavy(atom).length < 2 && !isBare(atom)
  /** A nitrogen with a free pair of electrons, as in a ring: not one of an amide. */
  const takes = (atom: number): boolean =>
    classes[atom] === OXYGEN ||
    (partners(atom, true).length === 0 &&
      heavy(atom).length === 2 &&
      !heavy(atom).some(carbon => heavy(carbon).some(at => classes[at] === OXYGEN)))

  const isStraight = (donor: Vector, hydrogen: Vector, acceptor: Vector): boolean =>
    distance(hydrogen, acceptor) < LONGEST_FROM_HYDROGEN && cosine(donor, hydrogen, acceptor) < AT_HYDROGEN
  /** The atom from which the bond goes to the acceptor; undefined where there is none. */
  const startOf = (donor: number, acceptor: number): number | undefined => {
    if (!gives(donor) || !takes(acceptor)) return undefined
    const [from, to] = [pointAt(frame, donor), pointAt(frame, acceptor)]
    if (hasHydrogens) return partners(donor, true).find(hydrogen => isStraight(from, pointAt(frame, hydrogen), to))
    const ways = heavy(donor).map(other => unit(minus(pointAt(frame, other), from), [0, 0, 0]))
    const [one, other] = ways
    const isOpen =
      one === undefined || other === undefined
        ? ways.every(way => dot(way, unit(minus(to, from), way)) < AT_DONOR)
        : isStraight(from, minus(from, unit(minus(one, scaled(other, -1)), one)), to)
    return isOpen ? donor : undefined
  }

  const joinedTo = (atom: number): ReadonlySet<number> => {
    let found = new Set([atom])
    for (let bond = 0; bond < JOINED; bond++)
      found = new Set([...found].flatMap(one => [one, ...partnersOf(bonded, one)]))
    return found
  }

  const polar = [...classes.keys()].filter(atom => isPolar(atom) && !isSolvent(kinds[atom]))
  return polar.flatMap(atom => {
    if (residues?.[atom] !== residue) return []
    const place = pointAt(frame, atom)
    const joined = joinedTo(atom)
    return polar.flatMap((other): readonly AtomPair[] => {
      const isSecondLook = residues[other] === residue && other < atom
      if (isSecondLook || joined.has(other) || !(distance(place, pointAt(frame, other)) < LONGEST)) return []
      const start = startOf(atom, other)
      if (start !== undefined) return [[start, other]]
      const back = startOf(other, atom)
      return back === undefined ? [] : [[back, atom]]
    })
  })
}

/** Of the angle at the middle one of three places. */
function cosine(one: Vector, middle: Vector, other: Vector): number {
  return dot(unit(minus(one, middle), [0, 0, 0]), unit(minus(other, middle), [0, 0, 0]))
}
