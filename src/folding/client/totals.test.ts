import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import type { ClientView } from './client.ts'
import { clientSummary } from './summary.ts'
import type { Summary } from './totals.ts'
import { addSummary, emptySummary, replaceSummary, subtractSummary } from './totals.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const GPU = 'gpu:01:00:00'

const data: ClientData = {
  info: { cpus: 8 },
  config: {},
  groups: { '': { config: { finish: true }, failed_wus: 1 }, b: { config: {}, failed_wus: 1, lost_wus: 2 } },
  units: [
    { state: 'RUN', group: '', cpus: 6, gpus: [], ppd: 1000.4 },
    { state: 'RUN', group: 'b', cpus: 1, gpus: [GPU], ppd: 2_000_000 },
    { state: 'UPLOAD', group: 'b', cpus: 4, gpus: [GPU], ppd: 5 },
    { state: 'RUN', group: 'b', cpus: 2, gpus: ['gpu:02:00:00'], ppd: 7, pause_reason: 'Paused' },
    { state: 'ASSIGN', group: 'b', cpus: 1, gpus: ['gpu:03:00:00'], wait: '2026-11-20T14:01:00Z' },
    { state: 'X', group: 'b' },
  ],
}
const client: ClientView = { id: 'm', isDirect: false, isConnected: true, data }

describe('the summary of a client', () => {
  it('counts what it does', () => {
    expect(clientSummary(client, NOW)).toEqual({
      clients: 1,
      connected: 1,
      loading: 0,
      active: 1,
      cpus: 7,
      gpus: 1,
      ppd: 2_001_000,
      recent: 0,
      recentPpd: 0,
      units: 6,
      failing: 1,
      running: 1,
      finishing: 1,
      waiting: 1,
      paused: 1,
      transfer: 1,
      failed: 0,
      done: 0,
      unknown: 1,
    })
  })

  it('is one client while disconnected, and for a short time the points per day that it had', () => {
    expect(clientSummary({ ...client, isConnected: false }, NOW)).toEqual({ ...emptySummary, clients: 1 })
    expect(clientSummary({ ...client, isConnected: false, isLoading: true }, NOW)).toEqual({
      ...emptySummary,
      clients: 1,
      loading: 1,
    })
    expect(clientSummary({ ...client, isConnected: false, isRecent: true }, NOW)).toEqual({
      ...emptySummary,
      clients: 1,
      recent: 1,
      recentPpd: 2_001_000,
    })
    expect(clientSummary({ ...client, data: undefined }, NOW)).toEqual({
      ...emptySummary,
      clients: 1,
      connected: 1,
    })
  })

  it('is not active when all its units are paused', () => {
    const paused = { ...data, units: data.units.map(unit => ({ ...unit, pause_reason: 'Paused' })) }
    expect(clientSummary({ ...client, data: paused }, NOW)).toEqual({
      ...emptySummary,
      clients: 1,
      connected: 1,
      units: 6,
      failing: 1,
      paused: 6,
    })
  })
})

const summary: fc.Arbitrary<Summary> = fc
  .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 18, maxLength: 18 })
  .map(values => {
    const keys = Object.keys(emptySummary)
    const filled = Object.fromEntries(keys.map((key, index) => [key, values[index] ?? 0]))
    return { ...emptySummary, ...filled }
  })

function totalOf(summaries: Iterable<Summary>): Summary {
  return [...summaries].reduce(addSummary, emptySummary)
}

describe('totals', () => {
  it('updated incrementally equal the full sum', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.option(summary, { nil: undefined }))), changes => {
        const parts = new Map<number, Summary>()
        let totals = emptySummary
        for (const [id, after] of changes) {
          totals = replaceSummary(totals, parts.get(id), after)
          if (after === undefined) parts.delete(id)
          else parts.set(id, after)
        }
        expect(totals).toEqual(totalOf(parts.values()))
      }),
    )
  })

  it('are added and subtracted exactly', () => {
    fc.assert(
      fc.property(summary, summary, (a, b) => {
        expect(subtractSummary(addSummary(a, b), b)).toEqual(a)
        expect(addSummary(a, emptySummary)).toEqual(a)
      }),
    )
  })

  it('stay the same object when nothing changes', () => {
    const one = clientSummary(client, NOW)
    const totals = totalOf([one, one])
    expect(replaceSummary(totals, one, { ...one })).toBe(totals)
    expect(replaceSummary(totals, undefined, undefined)).toBe(totals)
    expect(totalOf([])).toBe(emptySummary)
  })
})
