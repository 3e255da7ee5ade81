/** Draws the statechart of every machine and model into docs/. */
import { importTypescript } from './run-typescript.mjs'

await importTypescript('test/docs/write.ts')
