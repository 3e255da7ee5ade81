/** Draws the statechart of every machine and model into docs/. */
import { resolve } from 'node:path'
import { runnerImport } from 'vite'

await runnerImport(resolve(import.meta.dirname, '..', 'test', 'docs', 'write.ts'), {
  configFile: false,
  logLevel: 'error',
})
