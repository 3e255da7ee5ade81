import type { Json } from '../../../src/protocol/json.ts'
import type { MoleculeLibrary } from '../../molecules/index.ts'
import type { UnitLife } from './unit-life.ts'
import { frameCount } from './unit-numbers.ts'

/** The molecules of one client's units, in the client's form. Made only when somebody looks. */
export const createMolecules = (library: MoleculeLibrary, seed: number) => {
  const specOf = (life: UnitLife) => ({
    molecule: life.project?.molecule ?? 'villin',
    atoms: life.project?.atoms ?? 600,
    seed: seed + life.number,
    frames: frameCount(life.project?.atoms ?? 600),
  })
  return {
    /** Molecules exist on disk once the core has written a frame. */
    has: (life: UnitLife): boolean => typeof life.wire['frames'] === 'number' && life.project !== undefined,
    /** About how many atoms the unit's molecule has. */
    atomsOf: (life: UnitLife): number => specOf(life).atoms,
    topology: (life: UnitLife): Json => library.topology(specOf(life)),
    frame: (life: UnitLife, index: number): Json => library.frame(specOf(life), index),
  }
}

export type Molecules = ReturnType<typeof createMolecules>
