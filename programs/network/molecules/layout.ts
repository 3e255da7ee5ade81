import { backboneOf } from './backbone.ts'
import type { Peptide, PlacementStep, TorsionSource } from './peptide.ts'
import { add, cross, dot, lengthOf, place, scale, subtract, unit } from './vector.ts'
import type { Vector } from './vector.ts'

/** Torsions of one frame in degrees, by residue. */
export type Torsions = {
  readonly phi: readonly number[]
  readonly psi: readonly number[]
  readonly omega: readonly number[]
  readonly chi: readonly (readonly number[])[]
}

const TETRAHEDRAL = 109.47
const HALF_TETRAHEDRAL = (TETRAHEDRAL / 2) * (Math.PI / 180)

function torsionFrom(source: TorsionSource, torsions: Torsions): number {
  switch (source.kind) {
    case 'fixed':
      return source.value
    case 'chi':
      return (torsions.chi[source.residue]?.[source.index] ?? 180) + source.plus
    default:
      return (torsions[source.kind][source.residue] ?? 180) + source.plus
  }
}

/** A vector that is not parallel to `axis`, for atoms with too few neighbors to define a direction. */
function anyPerpendicular(axis: Vector): Vector {
  return cross(axis, Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])
}

/** Coordinates of every atom in ångström for the given torsions. The first three atoms define the orientation. */
export function atomPositions(peptide: Peptide, torsions: Torsions): readonly Vector[] {
  const positions: Vector[] = peptide.atoms.map(() => [0, 0, 0])
  const at = (index: number): Vector => positions[index] ?? [0, 0, 0]
  for (const step of peptide.steps) {
    switch (step.kind) {
      case 'start':
        startChain(peptide, step, positions)
        break
      case 'extend':
        positions[step.atom] = place(
          at(step.torsionTo),
          at(step.angleTo),
          at(step.bondTo),
          step.length,
          step.angle,
          torsionFrom(step.torsion, torsions),
        )
        break
      case 'hydrogens':
        placeHydrogens(peptide, step, positions)
        break
    }
  }
  return positions
}

function startChain(
  peptide: Peptide,
  { n, ca, c }: Extract<PlacementStep, { kind: 'start' }>,
  positions: Vector[],
): void {
  const geometry = backboneOf(peptide.residues[0]?.code ?? 'A')
  const angle = (geometry.nCaC * Math.PI) / 180
  positions[n] = [0, 0, 0]
  positions[ca] = [geometry.nCa, 0, 0]
  positions[c] = [geometry.nCa - geometry.caC * Math.cos(angle), geometry.caC * Math.sin(angle), 0]
}

type HydrogenStep = Extract<PlacementStep, { kind: 'hydrogens' }>

function placeHydrogens(peptide: Peptide, step: HydrogenStep, positions: Vector[]): void {
  const center = positions[step.on] ?? [0, 0, 0]
  const heavy = (peptide.neighbors[step.on] ?? []).filter(index => peptide.atoms[index]?.element !== 'H')
  const directions = heavy.map(index => unit(subtract(positions[index] ?? [0, 0, 0], center)))
  const [first] = heavy
  const spots =
    directions.length === 1 && first !== undefined
      ? aroundOneBond(peptide, step, positions, first)
      : awayFrom(directions, step.atoms.length).map(direction => add(center, scale(direction, step.length)))
  for (const [index, atom] of step.atoms.entries()) {
    const spot = spots[index]
    if (spot !== undefined) positions[atom] = spot
  }
}

/** Hydrogens of an atom with two or three bonds: opposite to them, or above and below their plane. */
function awayFrom(directions: readonly Vector[], count: number): readonly Vector[] {
  const sum = directions.reduce<Vector>((total, direction) => add(total, direction), [0, 0, 0])
  const back = lengthOf(sum) > 1e-3 ? scale(unit(sum), -1) : unit(anyPerpendicular(directions[0] ?? [1, 0, 0]))
  if (count === 1) return [back]
  const [a = [1, 0, 0], b = [0, 1, 0]] = directions
  const side = unit(cross(a, b))
  return [
    add(scale(back, Math.cos(HALF_TETRAHEDRAL)), scale(side, Math.sin(HALF_TETRAHEDRAL))),
    add(scale(back, Math.cos(HALF_TETRAHEDRAL)), scale(side, -Math.sin(HALF_TETRAHEDRAL))),
  ]
}

/** Hydrogens of an atom with one bond: staggered when tetrahedral, in the plane otherwise. */
function aroundOneBond(peptide: Peptide, step: HydrogenStep, positions: Vector[], bonded: number): readonly Vector[] {
  const center = positions[step.on] ?? [0, 0, 0]
  const parent = positions[bonded] ?? [0, 0, 0]
  const reference = (peptide.neighbors[bonded] ?? []).find(
    index => index !== step.on && peptide.atoms[index]?.element !== 'H',
  )
  const axis = unit(subtract(center, parent))
  const referencePosition = reference === undefined ? undefined : positions[reference]
  const guide =
    referencePosition !== undefined && Math.abs(dot(unit(subtract(referencePosition, parent)), axis)) < 0.999
      ? referencePosition
      : add(parent, anyPerpendicular(axis))
  const torsions = step.form === 'planar' ? [0, 180] : [180, 60, -60]
  const angle = step.form === 'planar' ? 120 : TETRAHEDRAL
  return step.atoms.map((_, index) => place(guide, parent, center, step.length, angle, torsions[index] ?? 180))
}
