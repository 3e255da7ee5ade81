import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const minutes = Number(process.env['FOLDBOARD_SIMULATION_MINUTES'] ?? 60)

test(
  `everything holds in the worlds of ${minutes} minutes`,
  () => {
    const words = ['--seed', '1000', '--days', '3', '--hours', String(minutes / 60), '--shrink']
    const { status, stdout } = spawnSync('node', [join(import.meta.dirname, '../scripts/simulate.mjs'), ...words], {
      encoding: 'utf8',
      maxBuffer: Infinity,
    })
    expect(status, stdout).toBe(0)
  },
  (2 * minutes + 30) * 60_000,
)
