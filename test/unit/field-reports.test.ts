import { expect, test } from 'vitest'
import type { ClientData, Unit } from '../../src/protocol/client-data.ts'
import { UNIT_COLUMNS } from '../../src/folding/unit/unit-columns.ts'
import { unitReason } from '../../src/folding/unit/unit-status.ts'
import { formatIso } from '../../src/folding/shared/times.ts'
import {
  dataOf,
  HOUR,
  incidentText,
  kindsOf,
  MINUTE,
  running as runningUnit,
  START,
  watch,
} from '../folding/incidents.ts'

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
function columnsNamed(names: readonly string[]) {
  return names.flatMap(name => UNIT_COLUMNS.filter(column => column.name === name))
}
function shown(unit: Unit, ...names: readonly string[]): readonly string[] {
  return columnsNamed(names).map(column => column.text(unit, context))
}

const { pid: _pid, start_time: _start, ...stopped } = running

test('a unit that waits for resources keeps its project and progress, and the reason is in plain words', () => {
  const inCore = { ...stopped, state: 'CORE', paused: true, pause_reason: 'Resources not available' }
  for (const unit of [inCore, { ...inCore, state: 'RUN' }]) {
    expect(shown(unit, 'Project', 'Progress', 'CPUs')).toEqual(['18422', '50.0%', '8'])
    expect(unitReason(unit, data, NOW)).toBe(
      'It needs at least 8 CPUs. Its group has none. Raise the CPUs of the group in the machine’s settings, or dump the work unit.',
    )
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

function withUnit(part: Readonly<Record<string, unknown>>) {
  return { data: dataOf({ units: [runningUnit(part)] }) }
}

test('a unit that may run, but whose core is never started, is reported as that', () => {
  const { present } = watch().until(0, HOUR, () => withUnit({ start_time: undefined, wu_progress: 0.3 }))
  expect(present.map(one => incidentText(one, START + HOUR))).toEqual([
    'The core of WU1 (project 18420) has not started for 1h 0m.',
  ])
})

test('a unit on a client whose clock is an hour ahead does not stand still, nor does one that was paused for hours', () => {
  const ahead = (after: number) =>
    withUnit({ start_time: formatIso(START + HOUR), wu_progress: 0.2 + after / (100 * HOUR) })
  expect(kindsOf(watch().until(0, 2 * HOUR, ahead))).not.toContain('stalled')
  const client = watch()
  client.until(0, 8 * HOUR, () => withUnit({ pause_reason: 'Paused', start_time: undefined }))
  const resumed = withUnit({ start_time: formatIso(START + 8 * HOUR) })
  expect(kindsOf(client.until(8 * HOUR, 8.2 * HOUR, () => resumed))).toEqual([])
})

test('a unit that stands still in its first percent is reported without a known speed', () => {
  const young = withUnit({ wu_progress: 0.004, run_time: 30 })
  expect(kindsOf(watch().until(0, 16 * MINUTE, () => young))).toEqual(['stalled'])
})

test('results that stay in upload without a try or an error after a power failure are reported', () => {
  const stuck = withUnit({ state: 'UPLOAD', start_time: undefined, wu_progress: 1, progress: 0 })
  expect(kindsOf(watch().until(0, 31 * MINUTE, () => stuck))).toEqual(['unsent'])
})
