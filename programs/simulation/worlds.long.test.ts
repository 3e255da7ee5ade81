import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Reached } from './coverage/coverage.ts'
import { buildOnce, simulate, simulateElsewhere } from './simulate.ts'

buildOnce()

test('a run is the same, byte for byte, wherever the computer is, and where coverage is measured', async () => {
  const words = ['--seed', '6', '--days', '0.5', '--people', 'twoTabs']
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-coverage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [here, elsewhere] = await Promise.all([simulate(...words), simulateElsewhere(...words, '--coverage', folder)])
  expect(here).toMatch(/^0 \{"digest":"[0-9a-f]{64}"\}\n$/)
  expect(elsewhere).toBe(here)
  const reached = JSON.parse(readFileSync(join(folder, 'seed-6.json'), 'utf8')) as Reached
  expect(Object.keys(reached.transitions)).toContain('app · account.changed')
  expect(reached.guards).toHaveProperty('account · isDone · true')
}, 120_000)

test('everything holds in the worlds of two seeds', async () => {
  const pages = await Promise.all([1, 2].map(seed => simulate('--seed', String(seed), '--days', '1')))
  for (const page of pages) expect(page).toMatch(/^0 \{"digest":"[0-9a-f]{64}"\}\n$/)
}, 120_000)

test('everything holds in a world with two servers on one database', async () => {
  const words = ['--servers', '2', '--start', '2026-10-24', '--people', 'operator', '--days', '0.03']
  expect(await simulate('--seed', '501', ...words)).toMatch(/^0 \{"digest":"[0-9a-f]{64}"\}\n$/)
}, 120_000)

test('what cannot run is no success', async () => {
  expect(await simulate('--people', 'nobody')).toBe('2 ')
})
