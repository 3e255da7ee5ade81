/*
 * What a page with one machine uses when the first picture is there: its history and still pictures of molecules. One file, since each
 * `import()` of another is a request.
 */
export { openMoleculeStore } from '../../actors/molecules/molecule-store.ts'
export { openUnitDatabase } from '../../actors/storage/unit-store.ts'
export { historyMachines } from './history.ts'
export { viewerMachines } from './viewer.ts'
