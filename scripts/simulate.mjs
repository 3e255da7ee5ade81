/** Builds the simulator and its programs, and runs it: `npm run simulate -- --seed 7 --days 365 --machines 6`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { importTypescript } from './run-typescript.mjs'

const { buildSimulation, BUILT } = await importTypescript('simulation/build.ts')
await buildSimulation()
const { status } = spawnSync(process.execPath, [join(BUILT, 'simulate.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  // The same everywhere, whatever the computer is set to.
  env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'en_US.UTF-8' },
})
process.exit(status ?? 1)
