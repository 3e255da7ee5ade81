/** Tells which states and transitions the tests reached that were run with FOLDBOARD_COVERAGE, and fails when some were not. */
import { resolve } from 'node:path'
import { runnerImport } from 'vite'

const root = resolve(import.meta.dirname, '..')
const folder = process.env['FOLDBOARD_COVERAGE'] ?? resolve(root, 'test-results/coverage/notes')
const { module } = await runnerImport(resolve(root, 'test/coverage/report.ts'), {
  configFile: false,
  logLevel: 'error',
})
const { text, complaints } = module.reportCoverage(folder, resolve(root, 'test-results/coverage/report.md'))
console.log(text)
process.exit(complaints.length > 0 ? 1 : 0)
