/*
 * Hydrogens of standard residues by geometry.
 */
import { cross, minus, scaled, unit, type Vector } from '../../../../src/folding/molecule/vectors.ts'

/** Atoms with hydrogens, and how many; p: in a plane with the bonds, otherwise tetrahedral. The backbone of amino acids is in `BACKBONE`. */
const RESIDUES: Readonly<Record<string, string>> = {
  ALA: 'CB3',
  ARG: 'CB2 CG2 CD2 NE1p NH12p NH22p',
  ASN: 'CB2 ND22p',
  ASP: 'CB2',
  CYS: 'CB2 SG1',
  GLN: 'CB2 CG2 NE22p',
  GLU: 'CB2 CG2',
  GLY: '',
  HIS: 'CB2 CD21p CE11p NE21p',
  ILE: 'CB1 CG12 CG23 CD13',
  LEU: 'CB2 CG1 CD13 CD23',
  LYS: 'CB2 CG2 CD2 CE2 NZ3',
  MET: 'CB2 CG2 CE3',
  MSE: 'CB2 CG2 CE3',
  PHE: 'CB2 CD11p CD21p CE11p CE21p CZ1p',
  PRO: 'CB2 CG2 CD2',
  SER: 'CB2 OG1',
  THR: 'CB1 OG11 CG23',
  TRP: 'CB2 CD11p NE11p CE31p CZ21p CZ31p CH21p',
  TYR: 'CB2 CD11p CD21p CE11p CE21p OH1',
  VAL: 'CB1 CG13 CG23',
  DA: "C5'2 C4'1 C3'1 C2'2 C1'1 C81p C21p N62p",
  DC: "C5'2 C4'1 C3'1 C2'2 C1'1 C51p C61p N42p",
  DG: "C5'2 C4'1 C3'1 C2'2 C1'1 C81p N11p N22p",
  DT: "C5'2 C4'1 C3'1 C2'2 C1'1 N31p C73 C61p",
}

/** X–H in ångström: usual lengths of force fields. */
const LENGTHS: Readonly<Record<string, number>> = { C: 1.09, N: 1.01, O: 0.96, S: 1.34 }
const TETRAHEDRAL = 109.47
const HALF_TETRAHEDRAL = (TETRAHEDRAL / 2) * (Math.PI / 180)

export type Hydrogens = { readonly on: string; readonly count: number; readonly isPlanar: boolean }

/** What a residue has when its heavy atoms have their usual bonds. `isFirst`: no residue is before it in its chain. */
export function hydrogensOf(residue: string, isFirst: boolean): readonly Hydrogens[] {
  const atoms = RESIDUES[residue]
  if (atoms === undefined) return []
  const isPeptide = !residue.startsWith('D')
  const onNitrogen = (isFirst ? 3 : 1) - (residue === 'PRO' ? 1 : 0)
  const backbone = isPeptide ? [`N${onNitrogen}${isFirst ? '' : 'p'}`, `CA${residue === 'GLY' ? 2 : 1}`] : []
  return [...backbone, ...atoms.split(' ')].flatMap(word => {
    const [, on = '', count = '0', planar] = /^(.+)(\d)(p?)$/.exec(word) ?? []
    return count === '0' ? [] : [{ on, count: Number(count), isPlanar: planar === 'p' }]
  })
}

/** Names as in the Protein Data Bank: HB2 and HB3 of two, HB1 to HB3 of three, HH11 and HH12 on NH1. */
export function hydrogenNames(on: string, count: number): readonly string[] {
  const stem = `H${on.slice(1)}`
  if (count === 1) return [stem]
  const first = count === 2 && !/\d$/.test(on) ? 2 : 1
  return Array.from({ length: count }, (_, index) => `${stem}${first + index}`)
}

/**
 * Where the hydrogens of an atom are: `center` is its place, `heavy` those of the atoms bonded to it, and `reference` that of an atom
 * bonded to the first of these.
 */
export function hydrogenPlaces(
  element: string,
  { count, isPlanar }: Hydrogens,
  center: Vector,
  heavy: readonly Vector[],
  reference: Vector | undefined,
): readonly Vector[] {
  const length = LENGTHS[element] ?? 1
  const [parent] = heavy
  if (parent === undefined) return []
  if (heavy.length > 1)
    return awayFrom(
      heavy.map(place => unit(minus(place, center), [1, 0, 0])),
      count,
    ).map(way => moved(center, way, length))
  const axis = unit(minus(center, parent), [1, 0, 0])
  const side: Vector = reference === undefined ? [0.3, 0.5, 0.8] : minus(reference, parent)
  const normal = unit(cross(axis, side), cross(axis, [0.3, 0.5, 0.8]))
  const inPlane = cross(normal, axis)
  const bend = ((isPlanar ? 120 : TETRAHEDRAL) * Math.PI) / 180
  return (isPlanar ? [0, 180] : [180, 60, -60]).slice(0, count).map(degrees => {
    const turn = (degrees * Math.PI) / 180
    const out = moved(scaled(inPlane, Math.cos(turn)), normal, Math.sin(turn))
    return moved(moved(center, axis, -length * Math.cos(bend)), out, length * Math.sin(bend))
  })
}

/** Opposite to two or three bonds, or above and below their plane. */
function awayFrom(bonds: readonly Vector[], count: number): readonly Vector[] {
  const [a = [1, 0, 0], b = [0, 1, 0]] = bonds
  const sum = bonds.reduce<Vector>((total, bond) => moved(total, bond, 1), [0, 0, 0])
  const side = unit(cross(a, b), [0, 0, 1])
  const back = unit(scaled(sum, -1), side)
  return count === 1
    ? [back]
    : [1, -1].map(sign => moved(scaled(back, Math.cos(HALF_TETRAHEDRAL)), side, sign * Math.sin(HALF_TETRAHEDRAL)))
}

function moved(place: Vector, way: Vector, by: number): Vector {
  return minus(place, scaled(way, -by))
}

/**
 * Charges of atoms after those of CHARMM22 (A. D. MacKerell et al., J. Phys. Chem. B 102 (1998), 3586), by element and bonds alone: hydrogens
 * get those of their kind, oxygens and nitrogens theirs, and carbons what makes each residue whole.
 */
export function chargeOf(element: string, near: readonly string[]): number {
  const [first] = near
  const hydrogens = near.filter(one => one === 'H').length
  switch (element) {
    case 'H':
      return first === 'C' ? 0.09 : first === 'N' ? 0.31 : first === 'O' ? 0.43 : 0.16
    case 'O':
      return first === 'P' && near.length === 1 ? -0.78 : hydrogens > 0 ? -0.66 : -0.55
    case 'N':
      return hydrogens === 3 ? -0.3 : -0.47 - (hydrogens === 2 ? 0.15 : 0)
    case 'P':
      return 1.5
    case 'S':
      return hydrogens > 0 ? -0.23 : -0.09
    default:
      return 0
  }
}
