/** Starts the sources of the dashboard, with hot reloading, and the embedded network. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

if (!existsSync(resolve(import.meta.dirname, '../node_modules/vite'))) {
  console.error(
    'Nothing is installed yet. Run `npm run dev` (without --ignore-scripts), or `node scripts/set-up.mjs` first.',
  )
  process.exit(1)
}
const { importTypescript } = await import('./run-typescript.mjs')
await importTypescript('programs/network/dev.ts')
