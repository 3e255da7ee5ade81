/** Makes the molecules of the embedded network from entries of the Protein Data Bank: node scripts/structures.mjs <folder with 1CRN.pdb …> */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importTypescript } from './run-typescript.mjs'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the entries, in which 1CRN.pdb and the others are.')
const { ENTRIES, structureOf } = await importTypescript('programs/network/molecules/building/structure.ts')
for (const entry of ENTRIES) {
  const structure = structureOf(entry, readFileSync(join(folder, entry.file), 'utf8'))
  const path = join(import.meta.dirname, '../programs/network/molecules/structures', `${entry.id}.json`)
  writeFileSync(path, `${JSON.stringify(structure, undefined, 2)}\n`)
  console.log(`${entry.id}: ${structure.names.split(' ').length} atoms`)
}
