import type { Json } from '../../../src/protocol/json.ts'
import { torsionsAt } from './folding-path.ts'
import { foldByName } from './folds.ts'
import type { PeptideFold } from './folds.ts'
import { atomPositions } from './layout.ts'
import { createPeptide } from './peptide.ts'
import type { Element, Peptide } from './peptide.ts'
import { alignedToX, centered, superpose } from './superpose.ts'
import { add } from './vector.ts'
import type { Vector } from './vector.ts'
import { TIP3P, waterPositions, waterSites } from './water.ts'

export type MoleculeModel = {
  readonly atomCount: number
  topology(): Json
  /** Position of every atom in ångström at `share` of the path from extended (0) to folded (1). */
  positions(share: number, seed: number): readonly Vector[]
}

/** Van der Waals radii: Bondi, J. Phys. Chem. 68 (1964) 441 (hydrogen 1.2); masses: IUPAC. */
const elements: Readonly<Record<Element, { readonly radius: number; readonly mass: number; readonly number: number }>> =
  {
    H: { radius: 1.2, mass: 1.008, number: 1 },
    C: { radius: 1.7, mass: 12.011, number: 6 },
    N: { radius: 1.55, mass: 14.007, number: 7 },
    O: { radius: 1.52, mass: 15.999, number: 8 },
    S: { radius: 1.8, mass: 32.06, number: 16 },
  }

function atomJson(name: string, element: Element, charge: number): Json {
  const { radius, mass, number } = elements[element]
  return [name, charge, radius, mass, number]
}

/** Distance between chains in ångström. */
const CHAIN_SPACING = 75

/** Larger molecules are one chain in water. */
const MAX_CHAINS = 6

/** Positions of several chains on a square grid across their long axis. */
function chainOffsets(count: number): readonly Vector[] {
  const side = Math.ceil(Math.sqrt(count))
  return Array.from({ length: count }, (_, index) => [
    0,
    ((index % side) - (side - 1) / 2) * CHAIN_SPACING,
    (Math.floor(index / side) - (side - 1) / 2) * CHAIN_SPACING,
  ])
}

/** Start of the path in a drop of water, where an extended chain would stick out. */
function startInWater(waters: number): number {
  return waters === 0 ? 0 : waters > 15_000 ? 0.25 : 0.55
}

function createChainPath(fold: PeptideFold, peptide: Peptide) {
  const target = centered(alignedToX(atomPositions(peptide, torsionsAt(fold, 1, 0))), peptide.alphas)
  return (share: number, seed: number): readonly Vector[] =>
    superpose(atomPositions(peptide, torsionsAt(fold, share, seed)), peptide.alphas, target)
}

function chainTopology(peptide: Peptide, offset: number) {
  return {
    atoms: peptide.atoms.map(({ name, element, charge }) => atomJson(name, element, charge)),
    bonds: peptide.bonds.map(([a, b]) => [a + offset, b + offset]),
  }
}

function waterTopology(count: number, offset: number) {
  const atoms: Json[] = []
  const bonds: Json[] = []
  for (let molecule = 0; molecule < count; molecule++) {
    const oxygen = offset + molecule * 3
    atoms.push(
      atomJson('OW', 'O', TIP3P.oxygen),
      atomJson('HW1', 'H', TIP3P.hydrogen),
      atomJson('HW2', 'H', TIP3P.hydrogen),
    )
    bonds.push([oxygen, oxygen + 1], [oxygen, oxygen + 2])
  }
  return { atoms, bonds }
}

/**
 * A named fold with about `atoms` atoms: one chain, up to six chains side by side, or one chain in a drop of water. At
 * least one chain.
 */
export function createMoleculeModel(name: string, atoms: number): MoleculeModel {
  const fold = foldByName(name)
  const peptide = createPeptide(fold.sequence)
  const single = peptide.atoms.length
  const wanted = Math.max(1, Math.round(atoms / single))
  const chains = wanted <= MAX_CHAINS ? wanted : 1
  const waters = wanted <= MAX_CHAINS ? 0 : Math.round((atoms - single) / 3)
  const chainAt = createChainPath(fold, peptide)
  const offsets = chainOffsets(chains)
  let sites: readonly Vector[] | undefined

  return {
    atomCount: single * chains + waters * 3,
    topology: () => {
      const parts = [
        ...offsets.map((_, index) => chainTopology(peptide, index * single)),
        waterTopology(waters, single * chains),
      ]
      return { atoms: parts.flatMap(part => part.atoms), bonds: parts.flatMap(part => part.bonds) }
    },
    positions: (share, seed) => {
      const start = startInWater(waters)
      const way = start + (1 - start) * share
      const solute = offsets.flatMap((offset, index) =>
        chainAt(way, seed + index * 101).map(point => add(point, offset)),
      )
      if (waters === 0) return solute
      sites ??= waterSites(waters, single, 7)
      return [...solute, ...waterPositions(sites, waters, solute, seed + Math.round(share * 10_000))]
    },
  }
}
