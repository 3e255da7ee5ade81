import type { Json } from '../../../../src/protocol/json.ts'
import type { MoleculeCache } from '../../molecules/molecule-cache.ts'
import type { SimulatedUnit } from './simulated-unit.ts'

/** The molecules of one client's units, in the client's format. Computed on request. */
export function createMolecules(cache: MoleculeCache, seed: number) {
  const specOf = (unit: SimulatedUnit) => ({
    molecule: unit.project?.molecule ?? 'crambin',
    atoms: unit.project?.atoms ?? 600,
    seed: seed + unit.number,
  })
  return {
    /** A unit has a molecule once its core has written a frame. */
    has: (unit: SimulatedUnit): boolean => typeof unit.wire['frames'] === 'number' && unit.project !== undefined,
    /** Approximate number of atoms. */
    atomsOf: (unit: SimulatedUnit): number => specOf(unit).atoms,
    topology: (unit: SimulatedUnit): Json => cache.topology(specOf(unit)),
    frame: (unit: SimulatedUnit, index: number): Json => cache.frame(specOf(unit), index),
  }
}

export type Molecules = ReturnType<typeof createMolecules>
