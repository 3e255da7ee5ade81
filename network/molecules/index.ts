export { createMoleculeLibrary } from './library.ts'
export type { MoleculeLibrary } from './library.ts'
