import { describe, expect, it } from 'vitest'
import { DEFAULT_CLIENT_COLUMNS, CLIENT_COLUMNS, CLIENT_NAME_COLUMN, clientProblems } from './client-columns.ts'
import { factsOf } from '../../../test/folding/client-facts.ts'
import type { ClientFacts } from './client-facts.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

const facts = factsOf('id', {
  name: 'atlas',
  units: { running: 2, finishing: 0, waiting: 0, paused: 1, transfer: 0, failed: 0, done: 0, unknown: 0 },
  unitCount: 3,
  cpusUsed: 12,
  cpusThere: 16,
  gpusUsed: 1,
  gpusThere: 2,
  gpus: ['AD102 [RTX 4090]', 'RX 7900 XTX'],
  projects: [18420, 18421],
  ppd: 1_500_000,
  usualPpd: 2_000_000,
  nextFinish: NOW + 3_600_000,
  nextTpf: 130,
  pointsDay: 900_000,
  power: { watts: 450, isGuess: true, pointsPerKwh: 138_889, costDay: 3.24, currency: 'EUR' },
  version: '8.5.7',
  os: 'Linux',
  osVersion: '6.18',
  groups: ['', 'night'],
  tags: ['attic', 'fast'],
  lastHeard: NOW - 42_000,
})

function column(id: string) {
  const found = CLIENT_COLUMNS.find(other => other.id === id)
  if (found === undefined) throw new Error(`There is no column ${id}.`)
  return found
}
function textOf(id: string, change: Partial<ClientFacts> = {}): string {
  return column(id).text({ ...facts, ...change }, NOW)
}
function valueOf(id: string, change: Partial<ClientFacts> = {}) {
  return column(id).value({ ...facts, ...change })
}

describe('the columns of clients', () => {
  it('show a client', () => {
    expect(Object.fromEntries(CLIENT_COLUMNS.map(({ id, text }) => [id, text(facts, NOW)]))).toEqual({
      name: 'atlas',
      state: 'Folding',
      'next-finish': '1h 0m',
      tpf: '2m 10s',
      'gpu-names': 'RTX 4090, RX 7900 XTX',
      ppd: '1,500,000',
      'ppd-usual': '75%',
      'ppd-trend': '2,000,000',
      units: '2 running, 1 paused',
      problem: 'None',
      cpus: '12 of 16',
      gpus: '1 of 2',
      deadline: 'None',
      'points-day': '900,000',
      watts: '≈ 450 W',
      ppkwh: '≈ 138,889',
      'cost-day': '≈ €3.24',
      projects: '18420, 18421',
      'failed-units': '0',
      version: '8.5.7',
      os: 'Linux 6.18',
      groups: '2',
      tags: 'attic, fast',
      'last-heard': '42 s ago',
    })
  })

  it('have ids that addresses and styles can hold, each once', () => {
    const ids = CLIENT_COLUMNS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]*$/)
    expect(ids).toEqual(expect.arrayContaining([CLIENT_NAME_COLUMN, ...DEFAULT_CLIENT_COLUMNS]))
  })

  it('show what is unknown as such, and sort it last', () => {
    const offline = { isConnected: false, state: 'disconnected', nextFinish: undefined, nextTpf: undefined } as const
    expect(['ppd', 'ppd-usual', 'units', 'cpus', 'gpus'].map(id => textOf(id, offline))).toEqual([
      '???',
      '???',
      '???',
      '??? of 16',
      '??? of 2',
    ])
    for (const id of ['ppd', 'ppd-usual', 'units', 'cpus', 'next-finish'])
      expect(valueOf(id, offline), id).toBeUndefined()
    const silent = { os: undefined, version: undefined, gpus: [], gpusThere: undefined, lastHeard: undefined }
    expect(['os', 'version', 'gpu-names', 'last-heard'].map(id => textOf(id, silent))).toEqual([
      '???',
      '???',
      '???',
      'Never',
    ])
    expect(textOf('gpu-names', { gpus: [], gpusThere: 0 })).toBe('None')
    expect(textOf('ppd-usual', { usualPpd: undefined })).toBe('???')
    expect(textOf('ppd-usual', { usualPpd: 0 })).toBe('???')
  })

  it('say how much of the usual PPD there is, to twice as much, and nothing while nothing runs', () => {
    const shares = [0, 500_000, 4_100_000].map(ppd => textOf('ppd-usual', { ppd }))
    expect(shares).toEqual(['–', '25%', '>200%'])
  })

  it('sort states by how much they need a person', () => {
    expect(valueOf('state', { state: 'failed' })).toBeLessThan(Number(valueOf('state')))
  })

  it('explain a cell', () => {
    expect(column('name').detail?.({ ...facts, address: '10.0.0.2:7396' })).toBe('atlas (10.0.0.2:7396)')
    expect(column('groups').detail?.(facts)).toBe('Default, night')
    expect(column('ppd-usual').detail?.(facts)).toBe('Usual: 2,000,000 PPD')
    expect(column('next-finish').detail?.({ ...facts, nextFinish: undefined })).toBe('Nothing is running.')
  })
})

describe('the problems of a client', () => {
  it('are named, the worst first', () => {
    const bad = { ...facts, failedGroups: 1, failedUnits: 5, deadlineRisk: 'deadline', isTooOld: true } as const
    expect(clientProblems(bad)).toEqual([
      '1 group stopped by failures',
      '5 work units failed or lost',
      'Misses deadline',
      'Client too old',
    ])
    expect(clientProblems({ ...facts, state: 'disconnected' })).toEqual(['Out of reach'])
    expect(clientProblems({ ...facts, state: 'disconnected', identity: 'left-over' })).toEqual(['Left over'])
    expect(clientProblems({ ...facts, identity: 'same-id' })).toEqual(['Same ID'])
    expect(column('state').detail?.({ ...facts, identity: 'same-id' })).toMatch(
      /Another computer has the same machine ID\.$/,
    )
    expect(clientProblems({ ...facts, state: 'idle' })).toEqual(['No work'])
    expect(clientProblems(facts)).toEqual([])
  })

  it('have an icon by how serious they are', () => {
    const look = (problem: ClientFacts['problem']) => column('problem').look?.({ ...facts, problem })?.tone
    expect(look(0)).toBeUndefined()
    expect(look(1)).toBe('waiting')
    expect(look(2)).toBe('waiting')
    expect(look(3)).toBe('failed')
  })
})
