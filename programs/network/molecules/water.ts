import { chance } from '../clients/random.ts'
import { nearPlaces } from '../../../src/folding/molecule/near-places.ts'
import { distance, dot, minus, scaled, unit, type Vector } from '../../../src/folding/molecule/vectors.ts'

/** TIP3P geometry and charges: Jorgensen et al., J. Chem. Phys. 79 (1983) 926. */
export const TIP3P = { oh: 0.9572, angle: 104.52, oxygen: -0.834, hydrogen: 0.417 } as const

/** Ångström between sites of a cubic lattice with the density of water, 0.0334 molecules/Å³. */
const SPACING = 3.105

/** Minimum distance in ångström of water from atoms of the solute. */
const CLEARANCE = 2.6

/** Share of spare sites for water that the solute displaces. */
const SPARE = 1.06

function byRadius(a: Vector, b: Vector): number {
  return a[0] ** 2 + a[1] ** 2 + a[2] ** 2 - (b[0] ** 2 + b[1] ** 2 + b[2] ** 2)
}

/** Sites of a drop around the origin, sorted by distance, each slightly off its lattice point. */
export function waterSites(count: number, soluteAtoms: number, seed: number): readonly Vector[] {
  const wanted = Math.ceil((count + soluteAtoms * 1.5 + 60) * SPARE)
  const reach = Math.ceil(Math.cbrt((wanted * 3) / (4 * Math.PI))) + 1
  const sites: Vector[] = []
  for (let x = -reach; x <= reach; x++) {
    for (let y = -reach; y <= reach; y++) {
      for (let z = -reach; z <= reach; z++) {
        const shift = (axis: number): number => 0.35 * (chance(seed, axis, x, y, z) - 0.5)
        sites.push([(x + shift(0)) * SPACING, (y + shift(1)) * SPACING, (z + shift(2)) * SPACING])
      }
    }
  }
  return sites.sort(byRadius).slice(0, wanted)
}

/** Returns a function that tells whether a point is too close to the solute. */
function proximityTest(solute: readonly Vector[]): (point: Vector) => boolean {
  const visitNear = nearPlaces(Float64Array.from(solute.flat()), CLEARANCE)
  return point => {
    let isNear = false
    visitNear(point, other => {
      const atom = solute[other]
      isNear ||= atom !== undefined && distance(atom, point) < CLEARANCE
    })
    return isNear
  }
}

/** A site for each of `count` molecules: its own, or a spare one if the solute is there. */
function assignSites(sites: readonly Vector[], count: number, isTaken: (point: Vector) => boolean): readonly Vector[] {
  const spare = sites.slice(count).filter(site => !isTaken(site))
  let next = 0
  return sites.slice(0, count).map(site => (isTaken(site) ? (spare[next++] ?? site) : site))
}

function direction(seed: number, molecule: number, which: number): Vector {
  const z = 2 * chance(seed, molecule, which) - 1
  const turn = 2 * Math.PI * chance(seed, molecule, which + 1)
  const flat = Math.sqrt(Math.max(0, 1 - z * z))
  return [flat * Math.cos(turn), flat * Math.sin(turn), z]
}

/** Positions of O, H, H of every molecule in one frame, randomly oriented. */
export function waterPositions(
  sites: readonly Vector[],
  count: number,
  solute: readonly Vector[],
  seed: number,
): readonly Vector[] {
  const half = (TIP3P.angle / 2) * (Math.PI / 180)
  const atoms: Vector[] = []
  for (const [molecule, oxygen] of assignSites(sites, count, proximityTest(solute)).entries()) {
    const axis = direction(seed, molecule, 0)
    const other = direction(seed, molecule, 2)
    const side = unit(minus(other, scaled(axis, dot(axis, other))), [0, 0, 1])
    const outward = minus(oxygen, scaled(axis, -TIP3P.oh * Math.cos(half)))
    const sideward = scaled(side, TIP3P.oh * Math.sin(half))
    atoms.push(oxygen, minus(outward, sideward), minus(outward, scaled(sideward, -1)))
  }
  return atoms
}
