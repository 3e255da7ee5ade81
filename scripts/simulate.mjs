/** Runs the simulated world: `npm run simulate -- --seed 7 --days 365 --machines 6`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../build/simulation/simulate.js')
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // The same everywhere, whatever the computer is set to.
  env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' },
})
process.exit(status ?? 1)
