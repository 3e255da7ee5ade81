import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const minutes = Number(process.env['FOLDBOARD_SIMULATION_MINUTES'] ?? 60)

/** Half a day is enough for servers: of each kind of fault there is one at least. */
const WORLDS = {
  pages: ['--days', '3'],
  'a server': ['--days', '0.5', '--people', 'operator', '--servers', '1'],
  'three servers over daylight saving': [
    '--days',
    '0.5',
    '--people',
    'operator',
    '--servers',
    '3',
    '--start',
    '2026-03-28',
  ],
}

test.each(Object.entries(WORLDS))(
  `everything holds in the worlds of %s, ${minutes / 3} minutes of each`,
  (_, world) => {
    const words = ['--seed', '1000', ...world, '--hours', String(minutes / 3 / 60), '--shrink']
    const { status, stdout } = spawnSync('node', [join(import.meta.dirname, '../../scripts/simulate.mjs'), ...words], {
      encoding: 'utf8',
      maxBuffer: Infinity,
    })
    expect(status, stdout).toBe(0)
  },
  (2 * minutes + 30) * 60_000,
)
