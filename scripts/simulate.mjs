/** Runs the simulated world: `npm run simulate -- --seed 7 --days 365 --machines 6`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const words = process.argv.slice(2)

if (words.includes('--mutations')) {
  const { importTypescript } = await import('./run-typescript.mjs')
  const { runMutations } = await importTypescript('programs/simulation/mutations/run-mutations.ts')
  process.exit(await runMutations(words))
}

const program = join(import.meta.dirname, '../build/simulation/simulate.js')
const { status } = spawnSync(process.execPath, [program, ...words], {
  stdio: 'inherit',
  // The same everywhere, whatever the computer is set to.
  env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' },
})
process.exit(status ?? 1)
