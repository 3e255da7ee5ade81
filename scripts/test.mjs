/**
 * Runs every check and test, and ends with a line of totals. `--check` leaves out the tests in a browser; `--long` runs the
 * tests that take long by nature, `*.long.test.ts` and `*.long.spec.ts`, and nothing else.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const reports = join(root, 'test-results', 'reports')
const coverage = join(root, 'test-results', 'coverage', 'notes')
/** Without a shell, Windows starts no program of `.bin`. @param {string} program of a package */
function node(program) {
  return [process.execPath, join(root, 'node_modules', program)]
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */
/** @typedef {{ name: string, command: string[], env?: Record<string, string>, count?: () => Totals | undefined, isShown?: boolean }} Job */

/** @param {string} name */
function readReport(name) {
  const path = join(reports, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** @returns {Totals | undefined} */
function countVitest() {
  const report = readReport('vitest.json')
  return (
    report && {
      passed: report.numPassedTests,
      failed:
        report.numFailedTests +
        report.testResults.filter(
          (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
            file.status === 'failed' && file.assertionResults.length === 0,
        ).length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  )
}

/** @param {string} name @returns {Totals | undefined} */
function countPlaywright(name) {
  const report = readReport(name)
  return (
    report && {
      passed: report.stats.expected,
      failed: report.stats.unexpected + report.errors.length,
      skipped: report.stats.skipped,
    }
  )
}

const isLong = process.argv.includes('--long')
const isCheck = process.argv.includes('--check')

/** @type {Job} */
const unitTests = {
  name: isLong ? 'long tests' : 'unit tests',
  command: [
    ...node('vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'vitest.json')}`,
  ],
  count: countVitest,
}

/** @type {Job} What the unit tests have noted. */
const reached = {
  name: 'states and transitions reached',
  command: [process.execPath, join(root, 'scripts', 'coverage.mjs')],
  isShown: true,
}

/** @type {Job} It takes two minutes of a processor: beside the unit tests it has what they leave of one. */
const lint = {
  name: 'lint and types',
  command: [
    ...(process.platform === 'win32' ? [] : ['nice', '-n', '19']),
    ...node('oxlint/bin/oxlint'),
    '--type-aware',
    '--type-check',
    '--deny-warnings',
  ],
  // A quarter of its time is collecting garbage, unless it may take more memory.
  env: { GOGC: '400', GOMEMLIMIT: '2000MiB' },
}

/** @type {Job[]} */
const checks = [
  { name: 'formatting', command: [...node('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'import rules', command: [process.execPath, join(root, 'scripts', 'import-rules.mjs')] },
  { name: 'sides in styles', command: [process.execPath, join(root, 'scripts', 'direction-rules.mjs')] },
  { name: 'messages and languages', command: [process.execPath, join(root, 'scripts', 'messages.mjs'), '--check'] },
  { name: 'unused code', command: [...node('knip/bin/knip.js'), '--config', 'scripts/knip.json'] },
  {
    name: 'code that only tests use',
    command: [...node('knip/bin/knip.js'), '--config', 'scripts/knip.json', '--production', '--exclude', 'types'],
  },
  { name: 'documentation', command: [process.execPath, join(root, 'scripts', 'check-docs.mjs')] },
  { name: 'statements', command: [process.execPath, join(root, 'scripts', 'check-statements.mjs')] },
]

/** @type {Job} */
const browserTests = {
  name: isLong ? 'long browser tests' : 'browser tests',
  command: [...node('@playwright/test/cli.js'), 'test', '--config', 'test'],
  count: () => countPlaywright('playwright.json'),
}

/** @type {Job} With a real client that the environment names: test/peers/README.md. */
const realPeers = {
  name: 'tests with real peers',
  command: [process.execPath, join(root, 'scripts', 'test-peers.mjs')],
  count: () => countPlaywright('peers.json'),
}

if (!existsSync(join(root, 'node_modules/vitest'))) {
  console.error(
    'Nothing is installed yet. Run `npm test` (without --ignore-scripts), or `node scripts/set-up.mjs --build --browser` first.',
  )
  process.exit(1)
}

/** @param {Job} job @returns {Promise<Totals>} */
function run(job) {
  return new Promise(done => {
    const started = Date.now()
    const [command = '', ...words] = job.command
    const child = spawn(command, words, {
      cwd: root,
      env: {
        ...process.env,
        FOLDBOARD_REPORTS: reports,
        ...job.env,
        ...(isLong ? { FOLDBOARD_LONG: '1' } : { FOLDBOARD_COVERAGE: coverage }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
    child.on('error', error => (output += error.message))
    child.on('close', code => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      const totals = job.count?.()
      const failed = code === 0 ? 0 : Math.max(1, totals?.failed ?? 1)
      const counted =
        totals === undefined
          ? { passed: code === 0 ? 1 : 0, failed, skipped: 0 }
          : { ...totals, failed: code === 0 ? totals.failed : failed }
      const nothingRan = code === 0 && counted.passed === 0
      if (nothingRan) counted.failed += 1
      if (code !== 0 || nothingRan || job.isShown) console.log(output.trimEnd())
      console.log(`${code === 0 && !nothingRan ? '✓' : '✗'} ${job.name} (${seconds} s)`)
      done(counted)
    })
  })
}

for (const folder of [reports, coverage]) rmSync(folder, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const totals = { passed: 0, failed: 0, skipped: 0 }
/** @param {Job} job */
async function runAndCount(job) {
  const { passed, failed, skipped } = await run(job)
  totals.passed += passed
  totals.failed += failed
  totals.skipped += skipped
}
/** As many at once as there are processors. @param {readonly Job[]} jobs */
async function runTogether(jobs) {
  const waiting = [...jobs]
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await runAndCount(job)
  }
  await Promise.all(Array.from({ length: Math.max(2, Math.min(4, availableParallelism())) }, work))
}
// Both runners use every processor, so one waits for the other.
const linted = isLong ? undefined : runAndCount(lint)
await runAndCount(unitTests)
if (!isLong) {
  // Tests that failed did not reach what they were to reach.
  if (totals.failed === 0) await runAndCount(reached)
  await runTogether(checks)
}
await linted
if (!isCheck) await runAndCount(browserTests)
if (!isCheck && process.env['FOLDBOARD_REAL_CLIENT']) await runAndCount(realPeers)
/** @param {number} count @param {string} word */
function unlessNone(count, word) {
  return count > 0 ? `, ${count} ${word}` : ''
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed${unlessNone(totals.skipped, 'skipped')}`)
process.exit(totals.failed > 0 ? 1 : 0)
