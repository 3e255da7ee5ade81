import { expect, test } from 'vitest'
import type { ClientData, Unit } from '../../src/protocol/client-data.ts'
import { UNIT_COLUMNS } from '../../src/folding/unit/unit-columns.ts'
import { unitReason } from '../../src/folding/unit/unit-status.ts'

/** Reports of docs/field-reports.md, played with the unit that their client sent. */

const NOW = Date.parse('2026-11-20T14:00:00Z')
const data: ClientData = {
  info: { version: '8.5.7', os: 'linux' },
  config: {},
  groups: { '': { config: { paused: false } } },
  units: [],
}
const running: Unit = {
  id: 'x',
  number: 8,
  group: '',
  state: 'RUN',
  pid: 900,
  cpus: 8,
  wu_progress: 0.5,
  eta: '1h 10m',
  ppd: 250_000,
  run_time: 600,
  start_time: '2026-11-20T13:00:00Z',
  assignment: { project: 18_422, time: '2026-11-20T12:00:00Z', timeout: 86_400, deadline: 172_800, credit: 9000 },
  wu: { run: 1, clone: 2, gen: 3 },
}

const context = { machine: 'attic', data, now: NOW, locale: 'en-GB', timeZone: 'UTC' }
const columnsNamed = (names: readonly string[]) =>
  names.flatMap(name => UNIT_COLUMNS.filter(column => column.name === name))
const shown = (unit: Unit, ...names: readonly string[]): readonly string[] =>
  columnsNamed(names).map(column => column.text(unit, context))

const { pid: _pid, start_time: _start, ...stopped } = running

test('a unit that waits for resources keeps its project and progress, and the reason is in plain words', () => {
  const inCore = { ...stopped, state: 'CORE', paused: true, pause_reason: 'Resources not available' }
  for (const unit of [inCore, { ...inCore, state: 'RUN' }]) {
    expect(shown(unit, 'Project', 'Progress', 'CPUs')).toEqual(['18422', '50.0%', '8'])
    expect(unitReason(unit, data, NOW)).toMatch(/CPUs or GPUs/)
  }
})

test('values of a paused unit are from before, and look so', () => {
  const unit = { ...stopped, pause_reason: 'Paused' }
  expect(columnsNamed(['PPD', 'ETA']).map(column => column.isStale?.(unit, context))).toEqual([true, true])
  expect(columnsNamed(['PPD', 'ETA']).map(column => column.isStale?.(running, context))).toEqual([false, false])
})

test('a unit that is being downloaded has no project yet, and no value that was made up', () => {
  const { assignment: _assignment, wu: _wu, ...fresh } = stopped
  const unit = { ...fresh, state: 'DOWNLOAD', progress: 0, wu_progress: 0, eta: '' }
  expect(shown(unit, 'Project', 'ETA', 'TPF', 'Deadline', 'RCG', 'Base Credit')).toEqual(new Array(6).fill('???'))
  expect(unitReason(unit, data, NOW)).toBeUndefined()
})

test.each([{ ppd: 0 }, { eta: '-5m 3s' }, { eta: '-1d -3h' }])(
  'an estimate that makes no sense is not known: %o',
  change => {
    const [name] = Object.keys(change)
    expect(shown({ ...running, ...change }, name === 'ppd' ? 'PPD' : 'ETA')).toEqual(['???'])
  },
)
