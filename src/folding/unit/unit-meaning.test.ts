import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { unitNotice } from './unit-cells.ts'
import { clockLead, longestStandstill, clientTime, meaningOf, UNIT_MEANINGS } from './unit-meaning.ts'
import type { UnitCondition } from './unit-evidence.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
function iso(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString().replace('.000', '')
}
const GPU = 'gpu:07:00:00'

function client(more: Partial<ClientData> = {}): ClientData {
  return {
    info: { os: 'linux', cpus: 8, gpus: { [GPU]: { type: 'nvidia', description: 'RTX 4070', supported: false } } },
    config: {},
    groups: { '': { config: { paused: false, cpus: 4 } } },
    units: [],
    ...more,
  }
}

type Case = readonly [
  row: string,
  Unit,
  UnitCondition,
  status: string,
  words: RegExp | undefined,
  /** The client around it. */
  data?: Partial<ClientData>,
]

const [A, B] = ['gpu:01:00:00', 'gpu:02:00:00']
const card = { type: 'nvidia', description: 'RTX 4070', supported: true, cuda: { platform: 0 } }

/** A client with two GPUs, of which its group enables some. */
function withGpus(
  enabled: readonly string[],
  gpus: NonNullable<ClientData['info']['gpus']> = { [A]: card, [B]: card },
  cpus = 4,
): Partial<ClientData> {
  return {
    info: { os: 'linux', cpus: 8, gpus },
    groups: {
      '': { config: { paused: false, cpus, gpus: Object.fromEntries(enabled.map(id => [id, { enabled: true }])) } },
    },
  }
}
const noResources = { state: 'RUN', pause_reason: 'Resources not available' }
const detecting = { state: 'CORE', pause_reason: 'Waiting for GPU detection' }

const CASES: readonly Case[] = [
  ['ended', { state: 'UPLOAD', result: 'credited', end_time: iso(-5) }, 'ended', 'credited', undefined],
  ['leaving', { state: 'DONE' }, 'ended', 'DONE', undefined],
  [
    'dump not reported',
    { state: 'DUMP', wait: iso(30), delay: 64, pause_reason: 'Paused' },
    'waiting',
    'DUMP_WAIT',
    /^Reporting the dump failed\. Retrying in 30s\.$/,
  ],
  ['dumping', { state: 'DUMP', pause_reason: 'Paused' }, 'dumping', 'DUMP', undefined],
  ['running', { state: 'RUN', pid: 7, wait: iso(300), delay: 512, retries: 9 }, 'running', 'RUN', undefined],
  [
    'finished and held',
    { state: 'UPLOAD', pause_reason: 'Pausing on battery', assignment: { time: iso(-3600), timeout: 7200 } },
    'held',
    'UNSENT',
    /^Finished, but its group sends no results on battery.*The timeout is in 1h 0m: later they earn no bonus\.$/,
  ],
  [
    'driver lost',
    { state: 'CORE', gpus: [GPU], pause_reason: 'Waiting for GPU detection' },
    'held',
    'PAUSE',
    /no driver for its GPU, RTX 4070\. Run nvidia-smi/,
  ],
  [
    'GPU moved',
    { ...detecting, gpus: [] },
    'held',
    'PAUSE',
    /^It waits for gpu:09:00:00\. The computer has no GPU at that place, and an unused one: RTX 4070 \(02\) \(gpu:02:00:00\)\. Until then the whole group waits/,
    withGpus([A, 'gpu:09:00:00']),
  ],
  [
    'GPU missing',
    { state: 'CORE', gpus: ['gpu:09:00:00'], pause_reason: 'Resources not available' },
    'held',
    'PAUSE',
    /has no GPU gpu:09:00:00 any more/,
  ],
  [
    'GPU unsupported',
    { ...noResources, gpus: [A] },
    'held',
    'PAUSE',
    /RTX 4070 \(gpu:01:00:00\)\. It has a driver, but the project does not know this kind of GPU, or not yet/,
    withGpus([A], { [A]: { ...card, supported: false } }),
  ],
  [
    'detecting GPUs',
    detecting,
    'held',
    'PAUSE',
    /^The machine is still detecting its GPUs\..*list of GPUs could not be downloaded.*Or a GPU that is ticked/,
    withGpus([A], {}),
  ],
  [
    'GPU not ticked',
    { ...noResources, gpus: [A], assignment: { time: iso(-3600), deadline: 7200 } },
    'held',
    'PAUSE',
    /^Its GPU RTX 4070 \(01\) is paused, or disabled in the settings of its group\..*The deadline is in 1h 0m: later they earn no points\.$/,
    withGpus([B]),
  ],
  [
    'GPU in use',
    { ...noResources, gpus: [A] },
    'held',
    'PAUSE',
    /^Its GPU is used by WU8 of its group\. It goes on after that\.$/,
    { ...withGpus([A]), units: [{ number: 8, state: 'RUN', gpus: [A], cpus: 1 }] },
  ],
  [
    'too few CPUs',
    { ...noResources, cpus: 6, gpus: [], assignment: { min_cpus: 6 } },
    'held',
    'PAUSE',
    /^CPUs that it needs: 6\. CPUs of its group: 4\. Check the CPUs/,
  ],
  [
    'group asks',
    { ...noResources, cpus: 2, number: 4 },
    'held',
    'PAUSE',
    /^WU9 of its group asks for work\. The group starts nothing else until it gets some\. If that lasts, press Pause and then Fold/,
    { units: [{ number: 9, group: '', state: 'ASSIGN', cpus: 4, gpus: [] }] },
  ],
  [
    'CPUs in use',
    { ...noResources, cpus: 4, gpus: [], assignment: { min_cpus: 2 } },
    'held',
    'PAUSE',
    /^CPUs that it needs: 2\. CPUs of its group: 4, of which other work units use 3\./,
    { units: [{ number: 8, state: 'RUN', gpus: [], cpus: 3 }] },
  ],
  ['held', { state: 'RUN', pause_reason: 'Full moon' }, 'held', 'PAUSE', /^Full moon\.$/],
  [
    'next server',
    { state: 'UPLOAD', wait: iso(3), delay: 5 },
    'waiting',
    'UPLOAD_WAIT',
    /the next one is tried\. Retrying in 3s\.$/,
  ],
  [
    'results refused',
    { state: 'UPLOAD', wait: iso(40), delay: 64, error: 'HTTP_SERVICE_UNAVAILABLE' },
    'waiting',
    'UPLOAD_WAIT',
    /^Finished, but sending the results failed: The server is overloaded or being serviced \(HTTP_SERVICE_UNAVAILABLE\)/,
  ],
  [
    'no server reached',
    { state: 'ASSIGN', wait: iso(8), delay: 16, retries: 4 },
    'waiting',
    'ASSIGN_WAIT',
    /^No server could be reached\. Check the machine’s network.*firewall and proxy.* Retrying in 8s\.$/,
  ],
  [
    'earlier answer',
    { state: 'ASSIGN', wait: iso(8), delay: 16, retries: 4, error: 'Please wait' },
    'waiting',
    'ASSIGN_WAIT',
    /^No server could be reached\..*The last answer that came: Please wait\./,
    { units: [{ state: 'UPLOAD', wait: iso(8), retries: 2 }] },
  ],
  [
    'no work',
    { state: 'ASSIGN', wait: iso(8), delay: 16, retries: 4, error: 'Please wait' },
    'waiting',
    'ASSIGN_WAIT',
    /^The last answer that came: Please wait\. Retrying in 8s\.$/,
  ],
  [
    'core unusable',
    { state: 'CORE', progress: 1, retries: 1, wait: iso(-90), delay: 2 },
    'held',
    'CORE_WAIT',
    /^Its core was fetched, and could not be used; .* Restart the folding client.*virus scanner/,
  ],
  ['waiting', { state: 'RUN', wait: iso(8), delay: 16 }, 'waiting', 'RUN_WAIT', /^Core stopped\. Retrying in 8s\.$/],
  ['result', { state: 'RUN', result: 'quarantined' }, 'ended', 'quarantined', undefined],
  ['asking', { state: 'ASSIGN', wait: iso(-8), delay: 16 }, 'asking', 'ASSIGN', undefined],
  ['transferring', { state: 'CORE', progress: 0.4 }, 'transferring', 'CORE', undefined],
  ['starting', { state: 'RUN', paused: true, wait: iso(-8) }, 'running', 'RUN', undefined],
  ['unknown', { state: 'THINK', error: 'E7' }, 'unknown', 'THINK', /^Last answer: E7\.$/],
]

describe('what a unit means', () => {
  test.each(CASES.map(each => [each[0], each] as const))('%s', (_, [row, unit, condition, status, words, more]) => {
    const data = client({ ...more, units: [unit, ...(more?.units ?? [])] })
    const meaning = meaningOf(unit, data, NOW)
    expect(meaning.row).toEqual(row)
    expect(meaning.condition).toEqual(condition)
    expect(meaning.status).toEqual(status)
    if (words !== undefined) expect(unitNotice(unit, { data, now: NOW })).toMatch(words)
  })

  it('has a case here for each row, and the same rows, in order and with their sections, in docs/protocol.md [4.3]', () => {
    const rows = UNIT_MEANINGS.map(({ id, source }) => [id, source])
    expect(CASES.map(([row]) => row)).toEqual(rows.map(([id]) => id))
    const section = readFileSync('docs/protocol.md', 'utf8').split('### What a unit means')[1]?.split('\n## ')[0] ?? ''
    const listed = [...section.matchAll(/^\| `([\w ]+)` .* (§\d+) +\|$/gm)].map(([, id, source]) => [id, source])
    expect(listed).toEqual(rows)
  })

  it('leads to the setting that decides, where a setting of its group does', () => {
    const settings = CASES.map(([row, unit, , , , more]) => {
      const { setting } = meaningOf(unit, client({ ...more, units: [unit, ...(more?.units ?? [])] }), NOW)
      return setting === undefined ? [] : [row, setting]
    })
    expect(Object.fromEntries(settings.filter(({ length }) => length > 0))).toEqual({
      'finished and held': 'on_battery',
      'GPU moved': 'gpus gpu:09:00:00',
      'GPU missing': 'gpus gpu:09:00:00',
      'GPU unsupported': 'gpus gpu:01:00:00',
      'detecting GPUs': 'gpus',
      'GPU not ticked': 'gpus gpu:01:00:00',
      'too few CPUs': 'cpus',
      'CPUs in use': 'cpus',
    })
    const idle: Unit = { state: 'RUN', pause_reason: 'Waiting for idle system' }
    expect(meaningOf(idle, client({ units: [idle] }), NOW).setting).toBe('on_idle')
  })

  it('is found for anything that a client can say', () => {
    const word = fc.constantFrom('RUN', 'UPLOAD', 'ASSIGN', 'DUMP', 'Paused', iso(5), iso(-5), '', 'x')
    const keys = fc.constantFrom('state', 'pause_reason', 'result', 'end_time', 'wait', 'start_time', 'error')
    fc.assert(
      fc.property(fc.dictionary(keys, word), unit => {
        expect(meaningOf(unit, client({ units: [unit] }), NOW).condition).not.toBe('')
      }),
    )
  })

  it('is Finishing only for what runs in a group that is set to finish', () => {
    const data = client({ groups: { '': { config: { paused: false, finish: true } } } })
    const words = [{ state: 'RUN', pid: 1 }, { state: 'UPLOAD' }].map(unit => meaningOf(unit, data, NOW).status)
    expect(words).toEqual(['FINISH', 'UPLOAD'])
  })
})

describe('the client’s clock', () => {
  const ahead: Unit = { state: 'RUN', pid: 7, start_time: iso(600) }

  it('is at least at the last start and the last attempt', () => {
    const waiting: Unit = { state: 'UPLOAD', wait: iso(664), delay: 64, retries: 6 }
    for (const unit of [ahead, waiting]) expect(clockLead(client({ units: [unit] }), NOW)).toBe(600_000)
    // A wait that was ended by a pause.
    expect(clockLead(client({ units: [{ state: 'CORE', wait: iso(7), delay: 0 }] }), NOW)).toBe(7000)
    expect(clockLead(client({ units: [{ state: 'CORE', wait: iso(7) }] }), NOW)).toBe(0)
    expect(clockLead(undefined, NOW)).toBe(0)
  })

  it('is said to be ahead beside a unit that began in the future', () => {
    expect(unitNotice(ahead, { data: client({ units: [ahead] }), now: NOW })).toMatch(/clock is at least 10m 0s ahead/)
    const justBegun: Unit = { ...ahead, start_time: iso(30) }
    expect(unitNotice(justBegun, { data: client({ units: [justBegun] }), now: NOW })).toBeUndefined()
  })

  it('judges waits, not the clock of the page', () => {
    const over: Unit = { state: 'ASSIGN', wait: iso(500) }
    const data = client({ units: [ahead, over] })
    expect(clientTime(data, NOW)).toBe(NOW + 600_000)
    expect(meaningOf(over, data, NOW).row).toBe('asking')
    const later: Unit = { state: 'ASSIGN', wait: iso(660) }
    expect(meaningOf(later, data, NOW).left).toBe(60_000)
  })
})

describe('results that are not sent', () => {
  const held = (assignment: Readonly<Record<string, unknown>>): Unit => ({
    state: 'UPLOAD',
    pause_reason: 'Paused',
    wu_progress: 1,
    eta: '2h 0m',
    assignment,
  })
  const notice = (unit: Unit) => unitNotice(unit, { data: client(), now: NOW })

  it('stand to lose the bonus, then the points, and are lost after the deadline', () => {
    expect(notice(held({ time: iso(-60), timeout: 120, deadline: 600 }))).toMatch(/timeout is in 1m 0s/)
    expect(notice(held({ time: iso(-180), timeout: 120, deadline: 600 }))).toMatch(
      /timeout has passed, so they earn no bonus; the deadline is in 7m 0s/,
    )
    expect(notice(held({ time: iso(-900), timeout: 120, deadline: 600 }))).toMatch(/deadline has passed/)
    expect(notice(held({ time: iso(-60), deadline: 600 }))).toMatch(/deadline is in 9m 0s/)
  })

  it('are not mentioned while they are being sent, unless little time is left', () => {
    const sending = (timeout: number): Unit => ({
      state: 'UPLOAD',
      progress: 0.1,
      assignment: { time: iso(0), timeout },
    })
    expect(notice(sending(7200))).toBeUndefined()
    expect(notice(sending(1200))).toBe('The timeout is in 20m 0s: later they earn no bonus.')
  })
})

it('a unit may stand still for some frames, but not for that long once its work is done', () => {
  const limits = { frames: 3, seconds: 900 }
  expect([0.5, 0.998, 0.999, 1].map(share => longestStandstill(share, 3600, limits))).toEqual([
    10_800, 10_800, 3600, 3600,
  ])
  expect([undefined, 10].map(tpf => longestStandstill(1, tpf, limits))).toEqual([900, 900])
})
