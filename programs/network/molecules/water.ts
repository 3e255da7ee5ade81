import { randomOfIntegers } from './noise.ts'
import { minus, scaled, unit, type Vector } from '../../../src/folding/molecule/vectors.ts'

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
        const shift = (axis: number): number =>
          0.35 * (randomOfIntegers(seed + axis, (x + 512) * 1024 + y + 512, z) - 0.5)
        sites.push([(x + shift(1)) * SPACING, (y + shift(2)) * SPACING, (z + shift(3)) * SPACING])
      }
    }
  }
  return sites.sort(byRadius).slice(0, wanted)
}

function cell(value: number): number {
  return Math.floor(value / CLEARANCE) + 2048
}

function keyOf(i: number, j: number, k: number): number {
  return (i * 4096 + j) * 4096 + k
}

/** Returns a function that tells whether a point is too close to the solute. */
function proximityTest(solute: readonly Vector[]): (point: Vector) => boolean {
  const cells = new Map<number, Vector[]>()
  for (const atom of solute) {
    const key = keyOf(cell(atom[0]), cell(atom[1]), cell(atom[2]))
    const list = cells.get(key)
    if (list === undefined) cells.set(key, [atom])
    else list.push(atom)
  }
  return ([x, y, z]) => {
    for (let i = cell(x) - 1; i <= cell(x) + 1; i++) {
      for (let j = cell(y) - 1; j <= cell(y) + 1; j++) {
        for (let k = cell(z) - 1; k <= cell(z) + 1; k++) {
          const near = cells.get(keyOf(i, j, k))
          if (
            near?.some(atom => (atom[0] - x) ** 2 + (atom[1] - y) ** 2 + (atom[2] - z) ** 2 < CLEARANCE ** 2) === true
          )
            return true
        }
      }
    }
    return false
  }
}

/** A site for each of `count` molecules: its own, or a spare one if the solute is there. */
function assignSites(sites: readonly Vector[], count: number, isTaken: (point: Vector) => boolean): readonly Vector[] {
  const spare = sites.slice(count).filter(site => !isTaken(site))
  let next = 0
  return sites.slice(0, count).map(site => (isTaken(site) ? (spare[next++] ?? site) : site))
}

function direction(seed: number, molecule: number, which: number): Vector {
  const z = 2 * randomOfIntegers(seed, molecule, which) - 1
  const turn = 2 * Math.PI * randomOfIntegers(seed, molecule, which + 1)
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
    const along = axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2]
    const side = unit(minus(other, scaled(axis, along)), [0, 0, 1])
    const outward = minus(oxygen, scaled(axis, -TIP3P.oh * Math.cos(half)))
    const sideward = scaled(side, TIP3P.oh * Math.sin(half))
    atoms.push(oxygen, minus(outward, sideward), minus(outward, scaled(sideward, -1)))
  }
  return atoms
}
