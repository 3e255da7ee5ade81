import type { Json } from '../../../src/protocol/json.ts'
import { distance, pointAt, type Vector } from '../../../src/folding/molecule/vectors.ts'
import { elementFacts } from './elements.ts'
import { chance } from '../clients/random.ts'
import { bytesOf, integersOf, type StoredStructure } from './stored-structure.ts'
import { structureByName } from './structures.ts'
import { TIP3P, waterPositions, waterSites } from './water.ts'

export type MoleculeModel = ReturnType<typeof createMoleculeModel>

/** Water is added where so many atoms more are wanted. */
const ENOUGH_WATER = 1000

/** Square ångström: atoms that are nearer to a node move as it does. */
const NEAR = 10

/** A named molecule, in a drop of water where many more atoms are wanted than it has. */
export function createMoleculeModel(name: string, atoms: number) {
  const structure = structureByName(name)
  const elements = bytesOf(structure.elements)
  const still = Float32Array.from(integersOf(structure.positions), value => value / 100)
  const motions = motionsOf(structure, still)
  const relax = relaxation(still, integersOf(structure.bonds))
  const waters = atoms < elements.length + ENOUGH_WATER ? 0 : Math.round((atoms - elements.length) / 3)
  let sites: readonly Vector[] | undefined

  const solute = (frame: number, seed: number): readonly Vector[] => {
    const place = still.slice()
    motions.forEach((motion, mode) => {
      const turns = (structure.paces[mode] ?? 0) * frame + chance(seed, mode)
      const share = Math.SQRT2 * Math.sin(2 * Math.PI * turns)
      motion.forEach((value, at) => {
        place[at] = (place[at] ?? 0) + share * value
      })
    })
    relax(place)
    return Array.from(elements, (_, atom) => pointAt(place, atom))
  }

  return {
    topology: (): Json => {
      const water = waterTopology(waters, elements.length)
      return {
        atoms: [...soluteAtoms(structure, elements), ...water.atoms],
        bonds: [...pairsOf(integersOf(structure.bonds)), ...water.bonds],
      }
    },
    /** Position of every atom in ångström in a frame, counted from 0. The seed tells where its motions begin. */
    positions: (frame: number, seed: number): readonly Vector[] => {
      const places = solute(frame, seed)
      if (waters === 0) return places
      sites ??= waterSites(waters, elements.length, 7)
      return [...places, ...waterPositions(sites, waters, places, seed + frame)]
    },
  }
}

function atomJson(name: string, element: number, charge: number): Json {
  const { radius, mass } = elementFacts(element)
  return [name, charge, radius, mass, element]
}

function soluteAtoms({ names, charges }: StoredStructure, elements: Uint8Array): readonly Json[] {
  const parts = integersOf(charges)
  return names.split(' ').map((name, atom) => atomJson(name, elements[atom] ?? 0, (parts[atom] ?? 0) / 1000))
}

function pairsOf(bonds: Int16Array): readonly Json[] {
  return Array.from({ length: bonds.length / 2 }, (_, at) => [bonds[at * 2] ?? 0, bonds[at * 2 + 1] ?? 0])
}

function waterTopology(count: number, offset: number) {
  const oxygens = Array.from({ length: count }, (_, molecule) => offset + molecule * 3)
  return {
    atoms: oxygens.flatMap(() => [
      atomJson('OW', 8, TIP3P.oxygen),
      atomJson('HW1', 1, TIP3P.hydrogen),
      atomJson('HW2', 1, TIP3P.hydrogen),
    ]),
    bonds: oxygens.flatMap(oxygen => [
      [oxygen, oxygen + 1],
      [oxygen, oxygen + 2],
    ]),
  }
}

const ROUNDS = 12

/**
 * Moves atoms until bonds and angles are nearly as they were in `places`: each pair that one or two bonds join takes back its distance,
 * again and again.
 */
function relaxation(places: Float32Array, bonds: Int16Array): (moved: Float32Array) => void {
  const near = Array.from({ length: places.length / 3 }, (): number[] => [])
  for (let at = 0; at < bonds.length; at += 2) {
    const [a = 0, b = 0] = bonds.subarray(at, at + 2)
    near[a]?.push(b)
    near[b]?.push(a)
  }
  const pairs = near.flatMap((partners, atom) =>
    [...partners, ...partners.flatMap(partner => near[partner] ?? [])].flatMap(other =>
      other > atom ? [atom, other] : [],
    ),
  )
  const lengthOf = (from: Float32Array, a: number, b: number): number => distance(pointAt(from, a), pointAt(from, b))
  const lengths = Float64Array.from({ length: pairs.length / 2 }, (_, pair) =>
    lengthOf(places, pairs[pair * 2] ?? 0, pairs[pair * 2 + 1] ?? 0),
  )
  return moved => {
    for (let round = 0; round < ROUNDS; round++)
      lengths.forEach((length, pair) => {
        const [a = 0, b = 0] = [pairs[pair * 2], pairs[pair * 2 + 1]]
        const share = (length / lengthOf(moved, a, b) - 1) / 2
        for (let axis = 0; axis < 3; axis++) {
          const off = ((moved[a * 3 + axis] ?? 0) - (moved[b * 3 + axis] ?? 0)) * share
          moved[a * 3 + axis] = (moved[a * 3 + axis] ?? 0) + off
          moved[b * 3 + axis] = (moved[b * 3 + axis] ?? 0) - off
        }
      })
  }
}

/** How far each motion moves x, y and z of each atom, in ångström: as the nodes around it move. */
function motionsOf(structure: StoredStructure, places: Float32Array): readonly Float32Array[] {
  const nodes = integersOf(structure.nodes)
  const modes = integersOf(structure.modes)
  const motions = structure.paces.map(() => new Float32Array(places.length))
  for (let at = 0; at < places.length; at += 3) {
    const weights = Float64Array.from(
      nodes,
      node => (distance(pointAt(places, at / 3), pointAt(places, node)) ** 2 + NEAR) ** -3,
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    motions.forEach((motion, mode) =>
      weights.forEach((weight, node) => {
        for (let axis = 0; axis < 3; axis++)
          motion[at + axis] =
            (motion[at + axis] ?? 0) + ((weight / total) * (modes[(mode * nodes.length + node) * 3 + axis] ?? 0)) / 1000
      }),
    )
  }
  return motions
}
