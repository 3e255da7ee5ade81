/*
 * Frames as they are shown: molecules whole, in one place of the periodic box, and turned so that the backbone stays where
 * it is in the first frame.
 */
import { groupBy } from '../shared/group-by.ts'
import { computedOnce } from '../shared/computed-once.ts'
import { waterBounds } from './bounds.ts'
import { isSolvent, soluteOf } from './kinds.ts'
import { bondOrder, move, nearest, wholeFrame } from './lattice.ts'
import type { Topology } from '../../protocol/client/visualization.ts'
import { knownMolecule, type Molecule } from './molecule.ts'
import { superposition } from './superposition.ts'
import { centerOf, minus, type Vector } from './vectors.ts'

/** Ångström: places that are nearer to where they would be aligned stay. */
const NEAR_ENOUGH = 0.01

export function alignmentOf(molecule: Molecule) {
  const count = molecule.names.length
  const order = bondOrder(count, molecule.bonds)
  const chosen = chosenAtoms(molecule)
  const parts = partsOf(molecule)
  let reference: { readonly frame: Float32Array; readonly centers: readonly Vector[] } | undefined

  const align = (frame: Float32Array): Float32Array => {
    const { frame: whole, lattice } = wholeFrame(order, frame)
    if (reference === undefined) {
      gather(whole, frame, parts, lattice, undefined)
      reference = { frame: whole, centers: parts.map(part => centerOf(whole, part)) }
      return whole
    }
    const box = lattice.length > 0 ? lattice : boxOf(frame, molecule)
    const gathered = gather(whole, frame, parts, box, reference.centers)
    const move = superposition(gathered, reference.frame, chosen)
    return move.distance < NEAR_ENOUGH ? gathered : move.applied(gathered)
  }
  // Of frames that do not fit the atoms nothing is known.
  const known = computedOnce((frame: Float32Array) => (frame.length === count * 3 ? align(frame) : frame))
  return {
    /** The frame as it is shown; itself where nothing is to be changed. The first one given stays as it is, but for whole molecules. */
    aligned: known,
    /** The root of the mean square of how far the backbone is from where it is in the first frame, in ångström. */
    deviation: (frame: Float32Array): number => {
      const shown = known(frame)
      return reference === undefined || frame.length !== count * 3
        ? NaN
        : superposition(shown, reference.frame, chosen).distance
    },
  }
}

/** The alignment of a topology, whose first frame is the first that anyone shows. */
export const knownAlignment = computedOnce((topology: Topology) => alignmentOf(knownMolecule(topology)))

/** The backbone; without one, all atoms but the solvent. */
function chosenAtoms({ polymers: { peptides, strands }, kinds }: Molecule): Uint32Array {
  const backbone = [
    ...peptides.flat().flatMap(({ n, ca, c }) => [n, ca, c]),
    ...strands.flat().flatMap(({ c4, c3, c1 }) => [c4, c3, c1]),
  ]
  return backbone.length > 0 ? Uint32Array.from(backbone) : soluteOf(kinds)
}

/** The atoms of each molecule that is not solvent, the largest first. */
function partsOf({ chains, kinds }: Molecule): readonly Uint32Array[] {
  if (chains === undefined) return []
  const atoms = [...chains.keys()].filter(atom => chains[atom] !== 0 && !isSolvent(kinds[atom]))
  const parts = [...groupBy(atoms, atom => chains[atom]).values()]
  return parts.sort((a, b) => b.length - a.length).map(part => Uint32Array.from(part))
}

/**
 * Moves molecules by vectors of the lattice, so that they are as near to the largest as in the first frame; in the first, as
 * near as can be.
 */
function gather(
  frame: Float32Array,
  original: Float32Array,
  [largest, ...others]: readonly Uint32Array[],
  lattice: readonly Vector[],
  centers: readonly Vector[] | undefined,
): Float32Array {
  if (largest === undefined || lattice.length === 0) return frame
  const origin = centerOf(frame, largest)
  let gathered = frame
  others.forEach((part, at) => {
    const [center, before, first] = [centerOf(frame, part), centers?.[at + 1], centers?.[0]]
    const wanted = before === undefined || first === undefined ? ([0, 0, 0] as const) : minus(before, first)
    const step = nearest(minus(minus(center, origin), wanted), lattice)
    if (step.every(value => value === 0)) return
    if (gathered === original) gathered = frame.slice()
    for (const atom of part) move(gathered, atom, step)
  })
  return gathered
}

/** Water that fills a box has its size, if its walls are at right angles. */
function boxOf(frame: Float32Array, { kinds }: Molecule): readonly Vector[] {
  const bounds = waterBounds(frame, kinds)
  if (bounds === undefined) return []
  const [x, y, z] = minus(bounds[1], bounds[0])
  return [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ]
}
