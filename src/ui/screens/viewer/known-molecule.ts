import { legendOf, type LegendEntry } from '../../../folding/molecule/atoms.ts'
import { moleculeOf, type Molecule } from '../../../folding/molecule/molecule.ts'
import type { Topology } from '../../../protocol/visualization.ts'

type Known = { readonly molecule: Molecule; readonly legend: readonly LegendEntry[] }

const known = new WeakMap<Topology, Known>()

/** What is read out of a topology, once for all parts of the screen: a large one takes a while. */
export const knownMolecule = (topology: Topology): Known => {
  const found = known.get(topology) ?? { molecule: moleculeOf(topology), legend: legendOf(topology) }
  known.set(topology, found)
  return found
}
