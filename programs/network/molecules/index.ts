export { createMoleculeCache } from './molecule-cache.ts'
export type { MoleculeCache } from './molecule-cache.ts'
