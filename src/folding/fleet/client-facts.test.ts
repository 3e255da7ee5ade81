import { describe, expect, it, test } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import type { ClientView } from '../client/client.ts'
import { clientSummary } from '../client/summary.ts'
import { compileQuery } from './query.ts'
import {
  clientFacts,
  CLIENT_STATUSES,
  clientStatusAppearance,
  NO_EXTRA_FACTS,
  riskAppearance,
  riskLevel,
  createFactsReader,
  mostFailures,
  type FactsSource,
  type ClientStatus,
  type ReportedFacts,
} from './client-facts.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const LATER = '2026-11-20T15:00:00Z'

const running = { id: 'u1', state: 'RUN', cpus: 4, ppd: 1000, eta: '1h 0m', wu_progress: 0.5 }

function dataOf(more: Partial<ClientData> = {}): ClientData {
  return {
    info: {
      id: 'machine-id',
      version: '8.5.7',
      os: 'linux',
      os_version: '6.18',
      cpus: 16,
      gpus: {
        'gpu:02:00:00': { supported: true, description: 'GeForce RTX 4090' },
        'gpu:01:00:00': { supported: true },
        'gpu:03:00:00': { supported: false, description: 'Old card' },
      },
    },
    config: {},
    groups: { '': { config: { cpus: 4, paused: false } } },
    units: [running],
    ...more,
  }
}

function viewOf(more: Partial<ClientView> = {}): ClientView {
  return {
    id: 'm',
    isDirect: false,
    isConnected: true,
    lastConnected: NOW - 1000,
    data: dataOf(),
    ...more,
  }
}

function reportOf(view: ClientView, more: Partial<ReportedFacts> = {}): ReportedFacts {
  return {
    name: 'desk',
    account: 'acc',
    isTooOld: false,
    problem: 0,
    summary: clientSummary(view, NOW),
    ...more,
  }
}

function factsOf(view: ClientView, more: Partial<ReportedFacts> = {}) {
  return clientFacts(view, reportOf(view, more), NO_EXTRA_FACTS, NOW)
}

function withUnits(...units: ClientData['units']): ClientView {
  return viewOf({ data: dataOf({ units }) })
}

describe('the facts of a client', () => {
  it('are flat values of its data, its report and other sources', () => {
    const view = viewOf()
    const extra = {
      account: 'acc',
      tags: ['attic'],
      notes: [],
      isAwaited: false,
      incidents: ['slow' as const],
      usualPpd: 900,
      pointsDay: 12_345,
      power: { watts: 210, isGuess: true, pointsPerKwh: 198, costDay: undefined, currency: '' },
    }
    expect(clientFacts(view, reportOf(view), extra, NOW)).toEqual({
      id: 'm',
      machine: 'm',
      name: 'desk',
      isDirect: false,
      address: undefined,
      isConnected: true,
      state: 'folding',
      problem: 0,
      identity: undefined,
      isTooOld: false,
      units: { running: 1, finishing: 0, waiting: 0, paused: 0, transfer: 0, failed: 0, done: 0, unknown: 0 },
      unitCount: 1,
      failedUnits: 0,
      failedGroups: 0,
      cpusUsed: 4,
      cpusThere: 16,
      gpusUsed: 0,
      gpusThere: 2,
      gpus: ['gpu:01:00:00', 'GeForce RTX 4090'],
      projects: [],
      ppd: 1000,
      usualPpd: 900,
      nextFinish: NOW - 1000 + 3_600_000,
      nextTpf: 72,
      deadlineRisk: 'none',
      pointsDay: 12_345,
      power: extra.power,
      version: '8.5.7',
      os: 'Linux',
      osVersion: '6.18',
      groups: [''],
      account: 'own',
      incidents: ['slow'],
      tags: ['attic'],
      pausedAlone: [],
      lastHeard: NOW - 1000,
      offlineSince: undefined,
      ownGroups: [],
    })
  })

  it('of a client that never answered are unknown, not zero, where nothing is known', () => {
    const facts = factsOf(viewOf({ isConnected: false, data: undefined, lastConnected: undefined }))
    expect(facts).toMatchObject({
      state: 'disconnected',
      cpusThere: undefined,
      gpusThere: undefined,
      version: undefined,
      nextFinish: undefined,
      lastHeard: undefined,
      offlineSince: undefined,
    })
  })

  it('of a lost client keep what it last had, but nothing that runs', () => {
    const units = [{ ...running, assignment: { project: 18_420 } }]
    const facts = factsOf(viewOf({ isConnected: false, data: dataOf({ units }) }))
    expect(facts).toMatchObject({
      unitCount: 1,
      projects: [18_420],
      ppd: 0,
      cpusUsed: 0,
      nextFinish: undefined,
      offlineSince: NOW - 1000,
    })
  })

  const gaveUp = { config: { cpus: 2, paused: true }, failed: 'Paused due too many failed Work Units.' }
  const paused = { id: 'p', state: 'RUN', pause_reason: 'Paused' }
  const waiting = { id: 'w', state: 'ASSIGN', wait: LATER, delay: 60 }
  test.each<[string, ClientView, ClientStatus]>([
    ['one unit runs, others do not', withUnits(running, paused, waiting), 'folding'],
    [
      'all its units are the last ones',
      viewOf({ data: dataOf({ groups: { '': { config: { finish: true } } } }) }),
      'finishing',
    ],
    ['a unit is downloaded', withUnits({ id: 'd', state: 'DOWNLOAD' }, waiting), 'transferring'],
    ['a unit waits', withUnits(waiting, paused), 'waiting'],
    ['its units are paused', withUnits(paused), 'paused'],
    [
      'it is paused without units',
      viewOf({ data: dataOf({ units: [], groups: { '': { config: { paused: true } } } }) }),
      'paused',
    ],
    ['it has no units', withUnits(), 'idle'],
    ['its unit is in no known state', withUnits({ id: 'x', state: 'NEW' }), 'idle'],
    ['a group was stopped, another one runs', viewOf({ data: dataOf({ groups: { a: {}, b: gaveUp } }) }), 'failed'],
    ['it is out of reach', viewOf({ isConnected: false }), 'disconnected'],
    ['it connects for the first time', viewOf({ isConnected: false, isLoading: true }), 'loading'],
    ['it has sent nothing yet', viewOf({ data: undefined }), 'loading'],
  ])('name its state: %s', (_, view, state) => {
    expect(factsOf(view).state).toBe(state)
  })

  it('say that another computer has its id, or that it is there under another one', () => {
    expect(factsOf(viewOf({ comparison: { sameId: ['cellar'] } })).identity).toBe('same-id')
    const leftOver = viewOf({ isConnected: false, comparison: { isLeftOver: true } })
    expect(factsOf(leftOver).identity).toBe('left-over')
    expect(factsOf(viewOf({ comparison: { isLeftOver: true } })).identity).toBeUndefined()
  })

  test.each([
    ['of the signed-in account', 'acc', 'own'],
    ['of another account', 'else', 'other'],
    ['of none', '', 'none'],
    ['not known yet', undefined, undefined],
  ])('say whose a direct client is: %s', (_, account, relation) => {
    const view = viewOf({ isDirect: true, data: dataOf({ info: { id: 'machine-id' } }) })
    const facts = clientFacts(view, reportOf(view, { account }), { ...NO_EXTRA_FACTS, account: 'acc' }, NOW)
    expect({ account: facts.account, machine: facts.machine }).toEqual({ account: relation, machine: 'machine-id' })
  })

  it('hold the worst deadline of all units, and the first unit that will be ready', () => {
    const assignment = { project: 1, time: '2026-11-20T13:00:00Z', timeout: 5400, deadline: 86_400 }
    const view = withUnits({ ...running, assignment }, { ...running, id: 'u2', eta: '5m 0s' })
    expect(factsOf(view)).toMatchObject({ deadlineRisk: 'timeout', nextFinish: NOW - 1000 + 300_000 })
  })
})

describe('the appearance', () => {
  it('of every state has its own label and icon', () => {
    const looks = CLIENT_STATUSES.map(clientStatusAppearance)
    expect(new Set(looks.map(({ label }) => label)).size).toBe(CLIENT_STATUSES.length)
    expect(new Set(looks.map(({ icon }) => icon)).size).toBe(CLIENT_STATUSES.length)
  })

  it('of a deadline risk is worse the later the unit is', () => {
    const risks = ['none', 'timeout', 'deadline', 'passed'] as const
    expect(risks.map(riskLevel)).toEqual([0, 1, 2, 3])
    expect(risks.map(risk => riskAppearance(risk)?.tone)).toEqual([undefined, 'waiting', 'failed', 'failed'])
  })
})

describe('facts that are read again', () => {
  const view = viewOf()
  const report = reportOf(view)
  const ids = ['one']
  const reading = (first: FactsSource = { view, report, extra: NO_EXTRA_FACTS }) => {
    let source: FactsSource | undefined = first
    const { read } = createFactsReader(() => source)
    return {
      read: (now: number) => read(ids, now),
      change: (changes: Partial<FactsSource>) => (source = { ...first, ...changes }),
      leave: () => (source = undefined),
    }
  }

  it('are the same list while nothing changed', () => {
    const { read, change } = reading()
    const before = read(NOW)
    change({ extra: { ...NO_EXTRA_FACTS } })
    expect(read(NOW + 59_999)).toBe(before)
    expect(read(NOW + 60_000)).toBe(before)
  })

  it('are computed again after a minute, since waits end by themselves', () => {
    const assignment = { project: 1, time: '2026-11-20T13:00:00Z', timeout: 86_400, deadline: 172_800 }
    const { read } = reading({ view: withUnits({ ...running, assignment }), report, extra: NO_EXTRA_FACTS })
    expect(read(NOW)[0]?.deadlineRisk).toBe('none')
    expect(read(NOW + 2 * 86_400_000)[0]?.deadlineRisk).toBe('passed')
  })

  it('follow progress at once', () => {
    const { read, change } = reading()
    read(NOW)
    change({ view: viewOf({ data: dataOf({ units: [{ ...running, eta: '20m 0s' }] }) }) })
    expect(read(NOW + 1)[0]?.nextFinish).toBe(NOW - 1000 + 1_200_000)
  })

  it('keep the time of the next finish while estimates differ by their rounding only', () => {
    const { read, change } = reading()
    read(NOW)
    change({ view: viewOf({ lastConnected: NOW + 30_000 }) })
    expect(read(NOW + 31_000)[0]?.nextFinish).toBe(NOW - 1000 + 3_600_000)
  })

  it('follow a new report or tag, and leave out a client that left', () => {
    const { read, change, leave } = reading()
    read(NOW)
    change({ report: { ...report, name: 'shed' } })
    expect(read(NOW + 1)[0]?.name).toBe('shed')
    change({ extra: { ...NO_EXTRA_FACTS, tags: ['attic'] } })
    expect(read(NOW + 1)[0]?.tags).toEqual(['attic'])
    leave()
    expect(read(NOW + 1)).toEqual([])
  })
})

test('GPUs and CPUs that are off while the rest of their group is not', () => {
  const gpus = { 'gpu:01:00:00': { enabled: false }, 'gpu:02:00:00': { enabled: true } }
  const units = Object.keys(gpus).map(id => ({ ...running, id, group: '', gpus: [id] }))
  const facts = (paused: boolean, noted: boolean) => {
    const view = viewOf({ data: dataOf({ groups: { '': { config: { cpus: 4, paused, gpus } } }, units }) })
    const note = { group: '', state: 'pause', cpus: 6, at: NOW } as const
    return clientFacts(view, reportOf(view), { ...NO_EXTRA_FACTS, notes: noted ? [note] : [] }, NOW).pausedAlone
  }
  expect(facts(false, false)).toEqual(['gpu:01:00:00'])
  expect(facts(true, false)).toEqual([])
  expect(facts(false, true)).toEqual(['gpu:01:00:00', 'CPUs'])
})

test('own names of groups and GPUs are searched for', () => {
  const tags = [
    { of: 'group:night', tag: 'Cellar' },
    { of: 'gpu:01:00:00', tag: 'Loud one' },
  ]
  const gpus = { 'gpu:01:00:00': { supported: true, description: 'RTX 4090' } }
  const info = { ...dataOf({}).info, gpus, tags } as ClientData['info']
  const view = viewOf({ data: { ...dataOf({ groups: { night: { config: {} } } }), info } })
  const facts = clientFacts(view, reportOf(view), NO_EXTRA_FACTS, NOW)
  const isFound = (query: string) => compileQuery(query).matches(facts, NOW)
  expect(['cellar', 'group:cellar', 'loud', 'gpu:"loud one"', 'attic', 'group:attic'].map(isFound)).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ])
})

test('the failures in a row of a client are those of the group with most, and no infinite number', () => {
  const of = (groups: ClientData['groups']): number => mostFailures(dataOf({ groups }))
  expect(of({ '': { failed_wus: 2 }, night: { failed_wus: 1, lost_wus: 3 } })).toBe(3)
  expect(of({ '': { failed_wus: Number.MAX_VALUE } })).toBe(0)
})
