/** Starts what `npm start` built. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../build/network.js', import.meta.url)
if (!existsSync(fileURLToPath(built))) {
  console.error(
    'Nothing has been built yet. Run `npm start` (without --ignore-scripts), or `node scripts/set-up.mjs --build` first.',
  )
  process.exit(1)
}
await import(built.href)
