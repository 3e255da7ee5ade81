import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { report } from './figures.ts'

const root = join(import.meta.dirname, '../..')
const MINUTES = 30
const MINUTES_A_WEEK = 7 * 24 * 60

/** Seconds of the processor for so many minutes of 1,000 machines and their server. */
const secondsOf = (minutes: number): number => {
  const words = [
    '--machines',
    '1000',
    '--servers',
    '1',
    '--people',
    'operator',
    '--no-faults',
    '--changes-every',
    '3600',
  ]
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'scripts/simulate.mjs'), ...words, '--days', String(minutes / 24 / 60)],
    { encoding: 'utf8' },
  )
  expect(status, stdout).toBe(0)
  return Number(/([\d.]+) s of processor time/.exec(stdout)?.[1])
}

test('a simulated fleet of 1,000 machines with a server', async ({}, info) => {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/set-up.mjs'), '--simulation'], {
    stdio: 'ignore',
  })
  expect(status).toBe(0)
  const before = secondsOf(0)
  const week = ((secondsOf(MINUTES) - before) / MINUTES) * MINUTES_A_WEEK
  await report(info, [
    { name: 'simulated fleet: start', value: before, unit: 's of processor' },
    { name: `simulated fleet: a week, from ${MINUTES} minutes`, value: week, unit: 's of processor', goal: 60 },
  ])
})
