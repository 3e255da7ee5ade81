/** Builds the simulator and the programs that run in it; `set-up.mjs --simulation` does it when something has changed. */
import { importTypescript } from './run-typescript.mjs'

const { buildSimulation } = await importTypescript('programs/simulation/build.ts')
await buildSimulation()
