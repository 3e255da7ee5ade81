import type { Json } from '../../src/protocol/json.ts'

export type MoleculeSpec = {
  /** Name of a sequence, such as 'villin'. */
  readonly molecule: string
  /** About how many atoms. */
  readonly atoms: number
  readonly seed: number
  /** Frames from the extended to the folded chain. */
  readonly frames: number
}

export type MoleculeLibrary = {
  topology(spec: MoleculeSpec): Json
  frame(spec: MoleculeSpec, index: number): Json
}

export const createMoleculeLibrary = (): MoleculeLibrary => ({
  topology: () => ({ atoms: [['C', 0, 1.7, 12.011, 6]], bonds: [] }),
  frame: (_spec, index) => [[index, 0, 0]],
})
