/** Tells which states and transitions the tests reached that were run with FOLDBOARD_COVERAGE, and fails when some were not. */
import { resolve } from 'node:path'
import { importTypescript } from './run-typescript.mjs'

const root = resolve(import.meta.dirname, '..')
const folder = process.env['FOLDBOARD_COVERAGE'] ?? resolve(root, 'test-results/coverage/notes')
const { reportCoverage } = await importTypescript('test/coverage/report.ts')
const { text, errors } = reportCoverage(folder, resolve(root, 'test-results/coverage/report.md'))
console.log(text)
process.exit(errors.length > 0 ? 1 : 0)
