import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { report } from './figures.ts'

const root = join(import.meta.dirname, '../..')
const MINUTES_A_DAY = 24 * 60
const FLEET_MINUTES = 5

function node(script: string, ...words: readonly string[]): string {
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'scripts', script), ...words], {
    encoding: 'utf8',
  })
  expect(status, stdout).toBe(0)
  return stdout
}

/** Seconds of the processor for a world without faults. */
function secondsOf(days: number, ...words: readonly string[]): number {
  return Number(
    /([\d.]+) s of processor time/.exec(node('simulate.mjs', '--no-faults', '--days', String(days), ...words))?.[1],
  )
}

test.beforeAll(() => void node('set-up.mjs', '--simulation'))

test('a simulated year of six machines and a phone', async ({}, info) => {
  const seconds = secondsOf(365, '--machines', '6', '--people', 'phone')
  await report(info, [{ name: 'simulated year of one person', value: seconds, unit: 's of processor', goal: 60 }])
})

test('a simulated week of 1,000 machines with a server', async ({}, info) => {
  const words = ['--machines', '1000', '--servers', '1', '--people', 'operator', '--changes-every', '3600']
  const start = secondsOf(0, ...words)
  const minutes = secondsOf(FLEET_MINUTES / MINUTES_A_DAY, ...words) - start
  const week = (minutes / FLEET_MINUTES) * 7 * MINUTES_A_DAY
  await report(info, [
    { name: 'simulated fleet: start', value: start, unit: 's of processor' },
    { name: `simulated fleet: a week, from ${FLEET_MINUTES} minutes`, value: week, unit: 's of processor', goal: 60 },
  ])
})
