import { expect, test } from 'vitest'
import type { ClientData, Unit } from '../../src/protocol/client/client-data.ts'
import { UNIT_COLUMNS } from '../../src/folding/unit/unit-columns.ts'
import { etaText, unitNotice } from '../../src/folding/unit/unit-cells.ts'
import { expectedPoints } from '../../src/folding/unit/unit-earnings.ts'
import { unitReason } from '../../src/folding/unit/unit-status.ts'
import { clientSummary } from '../../src/folding/client/summary.ts'
import { watchUnits, type Watch } from '../../src/folding/unit/watch-units.ts'
import { viewOf } from '../cases/cases.ts'
import { formatIso } from '../../src/folding/text/times.ts'
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
      'CPUs that it needs: 8. CPUs of its group: 0. Check the CPUs and GPUs of the group in the machine’s settings.',
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

/** A client whose group has these units beside the unit. */
function around(part: Readonly<Record<string, unknown>>, others: readonly Unit[] = [], more: Partial<ClientData> = {}) {
  const unit: Unit = { id: 'y', number: 9, group: '', cpus: 2, gpus: [], ...part }
  return {
    unit,
    data: { ...data, groups: { '': { config: { paused: false, cpus: 4 } } }, ...more, units: [unit, ...others] },
  }
}
const later = '2026-11-20T14:05:00Z'
const CARD = 'gpu:01:00:00'
const card = { type: 'nvidia', description: 'GTX 1080', supported: true, opencl: { platform: 0 } }
function withCard(enabled: boolean): Partial<ClientData> {
  return {
    info: { version: '8.5.7', os: 'linux', cpus: 8, gpus: { [CARD]: card } },
    groups: { '': { config: { paused: false, cpus: 4, gpus: { [CARD]: { enabled } } } } },
  }
}
const noResources = { state: 'RUN', paused: true, pause_reason: 'Resources not available' }

/** Threads of docs/field-reports.md, with the unit that their client sends, and what is said. */
test.each([
  [
    'fah-issues 1329: no core',
    around({ state: 'CORE', progress: 1, retries: 1 }),
    /Restart the folding client.*virus scanner/,
  ],
  [
    'fah-issues 161: the same',
    around({ state: 'CORE', progress: 1, retries: 2, wait: '2026-11-20T13:00:00Z' }),
    /core was fetched, and could not be used/,
  ],
  [
    'fah-issues 1721: no network',
    around({ state: 'ASSIGN', wait: later, delay: 512, retries: 9 }),
    /No server could be reached/,
  ],
  [
    'fah-issues 1551: no work',
    around({ state: 'ASSIGN', wait: later, retries: 3, error: 'No appropriate assignment' }),
    /last answer that came: The project has no work/,
  ],
  [
    'coronavirus 37: no work',
    around({ state: 'ASSIGN', wait: later, retries: 1, error: 'No WUs available for this configuration' }),
    /No WUs available/,
  ],
  [
    'fah-issues 1598: 41 attempts to send',
    around({ state: 'UPLOAD', wait: later, retries: 41, delay: 512 }),
    /^Finished, but sending the results failed\. No server could be reached/,
  ],
  [
    'fah-issues 1631: transfer failed',
    around({ state: 'UPLOAD', wait: later, retries: 2, delay: 4 }),
    /sending the results failed/,
  ],
  [
    'fah-issues 1438: results too large',
    around({ state: 'UPLOAD', wait: later, retries: 2, error: 'HTTP_REQUEST_ENTITY_TOO_LARGE' }),
    /larger than the server accepts/,
  ],
  [
    'fah-issues 615: a dump that is not reported',
    around({ state: 'DUMP', wait: later, retries: 6 }),
    /^Reporting the dump failed\. No server could be reached/,
  ],
  [
    'fah-issues 1402: paused whatever is set',
    around({ state: 'RUN', pause_reason: 'Pausing on battery' }),
    /runs on battery, and its group does not fold on battery/,
  ],
  [
    'fah-issues 1727: does not start on idle',
    around({ state: 'RUN', pause_reason: 'Waiting for idle system' }),
    /until the computer is idle/,
  ],
  [
    'fah-client-bastet 68: units in another group',
    around({ ...noResources, group: 'gpu', gpus: [CARD] }, [], withCard(false)),
    /CPUs or GPUs it needs|GPU/,
  ],
  [
    'fah-client-bastet 38: the GPU is not enabled',
    around({ ...noResources, gpus: [CARD] }, [], withCard(false)),
    /GTX 1080 is paused, or disabled in the settings of its group/,
  ],
  [
    'fah-client-bastet 106: other units have the CPUs',
    around({ ...noResources, cpus: 3 }, [{ number: 10, group: '', state: 'RUN', cpus: 4, gpus: [] }]),
    /CPUs that it needs: 3\. CPUs of its group: 4, of which other work units use 4\./,
  ],
  [
    'fah-client-bastet 387: nothing after the download',
    around({ state: 'CORE', progress: 1, retries: 1 }, [], { info: { version: '8.5.2' } }),
    /does not try again by itself/,
  ],
  [
    'fah-client-bastet 340: the GPU sleeps while the CPU gets no work',
    around(
      { ...noResources, gpus: [CARD] },
      [{ number: 12, group: '', state: 'ASSIGN', cpus: 2, gpus: [] }],
      withCard(true),
    ),
    /^WU12 of its group asks for work\..*press Pause and then Fold/,
  ],
  [
    'fah-client-bastet 142: a CPU unit in a group without CPUs',
    around({ ...noResources, cpus: 4 }, [], { groups: { '': { config: { paused: false, cpus: 0 } } } }),
    /^CPUs that it needs: 4\. CPUs of its group: 0\./,
  ],
  [
    'fah-client-bastet 181: 8.3.0 asks, and nothing comes',
    around({ state: 'ASSIGN', wait: later, retries: 5 }, [], { info: { version: '8.3.0' } }),
    /No server could be reached/,
  ],
  [
    'fah-issues 1316: stuck at ready',
    around({ state: 'DOWNLOAD', wait: later, retries: 4, delay: 16 }),
    /^Download failed\. No server could be reached/,
  ],
  [
    'fah-issues 334: uploads after many attempts',
    around({ state: 'UPLOAD', wait: later, retries: 14, delay: 512, wu_progress: 1 }),
    /^Finished, but sending the results failed\. No server could be reached.* Retrying in 5m 0s\./,
  ],
  [
    'fah-issues 148: servers that do not take results are tried in turn',
    around({ state: 'UPLOAD', wait: '2026-11-20T14:00:04Z', delay: 5, error: 'HTTP_SERVICE_UNAVAILABLE' }),
    /^Finished; a server did not take the results, and the next one is tried/,
  ],
  [
    'fah-issues 1139: an assignment without a work server',
    around({ state: 'ASSIGN', wait: later, retries: 2, error: 'Empty work server assignment' }),
    /^The last answer that came: Empty work server assignment\./,
  ],
  [
    'docker-foldingathome 7: no CUDA and no OpenCL after an update',
    around({ state: 'CORE', pause_reason: 'Waiting for GPU detection', gpus: [CARD] }, [], {
      ...withCard(true),
      info: {
        version: '8.5.7',
        os: 'linux',
        gpus: { [CARD]: { type: 'nvidia', description: 'Quadro P2000', supported: false } },
      },
    }),
    /finds no driver for its GPU, Quadro P2000\./,
  ],
  [
    'k8s-folding-at-home 7: a container without GPUs',
    around({ state: 'CORE', pause_reason: 'Waiting for GPU detection' }, [], {
      ...withCard(true),
      info: { version: '8.5.7', gpus: {} },
    }),
    /^The machine is still detecting its GPUs\..*Or a GPU that is ticked in the machine’s settings is not there/,
  ],
  [
    'fah-issues 466: the GPU is not found any more',
    around({ ...noResources, gpus: [CARD] }, [], { ...withCard(true), info: { version: '8.5.7', gpus: {} } }),
    /^The computer has no GPU gpu:01:00:00 any more\./,
  ],
  [
    'fah-issues 1483: only when idle, and never idle',
    around({ state: 'CORE', pause_reason: 'Waiting for idle system' }),
    /its group folds only then/,
  ],
  [
    'fah-issues 1590: on battery, although that was allowed elsewhere',
    around({ state: 'CORE', pause_reason: 'Pausing on battery' }),
    /its group does not fold on battery/,
  ],
] as const)('%s', (_, { unit, data: around_ }, words) => {
  expect(unitNotice(unit, { data: around_, now: NOW })).toMatch(words)
})

test('fah-issues 1276, 1040: without a passkey the points are those without bonus', () => {
  expect(expectedPoints(running, { ...data, config: { passkey: '' } }, NOW)).toBe(9000)
  expect(expectedPoints(running, { ...data, config: {} }, NOW)).toBeGreaterThan(9000)
})

test('fah-issues 1426: a deadline that cannot be met is said while the unit runs', () => {
  const assignment = { ...running.assignment, time: '2026-11-20T13:00:00Z', deadline: 86_400 }
  expect(unitNotice({ ...running, eta: '1d 22h', assignment }, { data, now: NOW })).toMatch(/will miss its deadline/)
})

test('fah-web-client-bastet 69: a transfer has no time left of the work', () => {
  expect(etaText({ ...running, state: 'UPLOAD', eta: '0s' }, context)).toBeUndefined()
})

test('fah-issues 1522: results that a server does not like may be credited', () => {
  const refused = { ...running, state: 'UPLOAD', result: 'failed', end_time: '2026-11-20T13:59:00Z' }
  expect(unitReason(refused, data, NOW)).toMatch(/were sent.*may be credited all the same/)
})

test('fah-issues 1221: units past their deadline are no failing hardware', () => {
  const group = { config: { paused: true, cpus: 4 }, failed_wus: 2, lost_wus: 2 }
  const present = watch().at(0, {
    data: dataOf({ groups: { '': group } }),
    endsOf: () => [{ result: 'expired' }, { result: 'expired' }],
  }).present
  expect(present.map(one => incidentText(one, START))).toEqual([
    'Group “Default”: Expired work units: 2. The machine was off for long, or too slow for them.',
  ])
})

test.each<[string, Readonly<Record<string, unknown>>, number, string]>([
  ['fah-client-bastet 439: at 100 % for an hour', { wu_progress: 0.999, eta: '1s' }, HOUR, 'stalled'],
  ['fah-issues 1121: a core that hangs', { wu_progress: 0.4, run_time: 3600 }, 10 * HOUR, 'stalled'],
  ['fah-issues 1665: nearly done, an ETA of nothing', { wu_progress: 0.999, eta: '0s', ppd: 2e12 }, HOUR, 'stalled'],
  ['fah-issues 1498: never gets beyond its beginning', { wu_progress: 0 }, HOUR, 'stalled'],
  ['fah-control 58: a download at 0 %', { state: 'DOWNLOAD', progress: 0, start_time: undefined }, HOUR, 'stalled'],
  [
    'fah-issues 1201: an upload that hangs',
    { state: 'UPLOAD', progress: 0.052, wu_progress: 1, start_time: undefined },
    HOUR,
    'unsent',
  ],
])('%s: is reported', (_, part, after, kind) => {
  expect(kindsOf(watch().until(0, after, () => withUnit(part)))).toContain(kind)
})

test('fah-issues 1403: a unit that continues from an earlier checkpoint does not stand still', () => {
  const backtracking = (after: number) =>
    withUnit({ wu_progress: after < HOUR ? 0.9 + after / (50 * HOUR) : 0.46 + (after - HOUR) / (50 * HOUR) })
  expect(kindsOf(watch().until(0, 2 * HOUR, backtracking))).not.toContain('stalled')
})

test.each([
  ['fah-client-bastet 305: failed units, a wait of 17 minutes', { failed_wus: 3, lost_wus: 3 }, 3],
  [
    'fah-client-bastet 141: bad units in a row',
    { failed_wus: 5, lost_wus: 5, failed: 'Paused due too many failed Work Units.' },
    5,
  ],
])('%s: what became of them is said', (_, counts, times) => {
  const group = { config: { paused: false, cpus: 4 }, ...counts }
  const { present } = watch().at(0, {
    data: dataOf({ groups: { '': group } }),
    endsOf: () => Array.from({ length: times }, () => ({ result: 'failed' })),
  })
  expect(present.map(one => incidentText(one, START)).join()).toContain(`Failed (${times})`)
})

test('fah-client-bastet 352: results that arrived although the connection broke may be credited', () => {
  const broken = { ...running, state: 'UPLOAD', result: 'failed', end_time: '2026-11-20T13:59:00Z', wu_progress: 1 }
  expect(unitReason(broken, data, NOW)).toMatch(/may be credited all the same/)
})

test('fah-issues 1153: in the first percent the time left is a guess, and marked', () => {
  const [eta] = columnsNamed(['ETA'])
  const young = { ...running, wu_progress: 0.004, eta: '8h 10m' }
  expect(eta?.text(young, context)).toBe('8h 10m')
  expect(eta?.isStale?.(young, context)).toBe(true)
})

test('fah-issues 912: a machine that is away has no points per day in the totals', () => {
  const view = { ...viewOf({ ...data, units: [running] }), isConnected: false }
  expect(clientSummary(view, NOW).ppd).toBe(0)
  expect(clientSummary({ ...view, isConnected: true }, NOW).ppd).toBe(250_000)
})

test('HFM.NET 117: after a reboot in the middle of a unit its figures are those of all its runs', () => {
  const again = { ...running, wu_progress: 0.54, run_time: 5400, start_time: '2026-11-20T14:00:00Z', eta: '1h 16m' }
  expect(shown(again, 'Progress', 'TPF', 'Run Time')).toEqual(['54.0%', '1m 40s', '1h 30m'])
})

/** What a page shows of the time per frame after it has watched these. */
function watchedFrames(frames: readonly { readonly seconds: number; readonly start?: string }[]): readonly string[] {
  let at = NOW - frames.reduce((sum, { seconds }) => sum + seconds, 0) * 1000
  let watched: Watch | undefined
  let unit: Unit = {}
  for (const [index, { seconds, start = '2026-11-20T13:00:00Z' }] of frames.entries()) {
    at += seconds * 1000
    unit = { ...running, start_time: start, run_time: 37 * (10 + index), wu_progress: 0.1 + index / 100, eta: '50m 0s' }
    watched = watchUnits(watched, { ...data, units: [unit] }, at)
  }
  return shown(unit, 'TPF')
}

test('fah-web-client-bastet 199: the time per frame is that of the frames that were watched', () => {
  expect(watchedFrames(Array.from({ length: 12 }, () => ({ seconds: 40 })))).toEqual(['40s'])
})

test('HFM.NET 98: a frame that was begun before a restart does not count', () => {
  const before = Array.from({ length: 12 }, () => ({ seconds: 40 }))
  const after = [{ seconds: 5 }, ...before].map(frame => ({ ...frame, start: '2026-11-20T13:50:00Z' }))
  expect(watchedFrames([...before, ...after])).toEqual(['40s'])
})
