/** Writes docs/README.md, and draws the statechart of every machine and model into docs/charts. */
import { importTypescript } from './run-typescript.mjs'

await importTypescript('test/docs/write.ts')
