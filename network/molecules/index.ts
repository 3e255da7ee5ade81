export { createMoleculeLibrary } from './library.ts'
export type { MoleculeLibrary, MoleculeSpec } from './library.ts'
