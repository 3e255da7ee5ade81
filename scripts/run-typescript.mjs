import { resolve } from 'node:path'
import { loadConfigFromFile, runnerImport } from 'vite'

const root = resolve(import.meta.dirname, '..')

/**
 * Runs a TypeScript module without a build, with macros turned into messages as in every build.
 * @param {string} path below the repository
 * @returns {Promise<any>} what the module exports
 */
export async function importTypescript(path) {
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, resolve(root, 'vitest.config.ts'))
  const { module } = await runnerImport(resolve(root, path), {
    configFile: false,
    logLevel: 'error',
    plugins: loaded?.config.plugins ?? [],
  })
  return module
}
