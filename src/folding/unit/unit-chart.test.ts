import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import { expectedPoints } from './unit-earnings.ts'
import { unitChart } from './unit-chart.ts'
import type { UnitRecord } from './unit-record.ts'

const START = Date.UTC(2026, 10, 20)
const HOUR = 3_600_000
function iso(at: number): string {
  return new Date(at).toISOString().replace('.000', '')
}
const unit: Unit = {
  id: 'u',
  state: 'RUN',
  pid: 1,
  start_time: iso(START),
  run_time: 0,
  wu_progress: 0.5,
  eta: '5h',
  ppd: 240_000,
  assignment: { project: 1, credit: 10_000, time: iso(START), timeout: 12 * 3600, deadline: 100 * 3600 },
}
const record: UnitRecord = {
  client: 'c',
  unit: 'u',
  owner: undefined,
  spacing: 60_000,
  moments: [
    { at: START + HOUR, progress: 0.1, ppd: 1, status: 'RUN', isAfterGap: true },
    { at: START + 2 * HOUR, progress: 0.2, ppd: 2, status: 'RUN', input: { name: 'card', value: 71 } },
    { at: START + 5 * HOUR, progress: 0.5, ppd: 3, status: 'RUN', isAfterGap: true },
  ],
}

describe('the chart of a unit', () => {
  const chart = unitChart(record, unit, START + 5 * HOUR)

  it('begins with the assignment, marks what was not seen, and draws no line across it', () => {
    expect(chart?.from).toEqual(START)
    expect(chart?.interruptions).toEqual([
      { from: START, to: START + HOUR, status: undefined },
      { from: START + 2 * HOUR, to: START + 5 * HOUR, status: undefined },
    ])
    expect(chart?.progress.map(({ value }) => value)).toEqual([0.1, 0.2, undefined, 0.5])
    expect(chart?.input).toMatchObject({ name: 'card', samples: [{}, { value: 71 }, {}, {}] })
  })

  it('has the limits that are near its expected end', () => {
    expect(chart?.to).toEqual(START + 12 * HOUR)
    expect(chart?.limits).toEqual([
      { at: START + 10 * HOUR, kind: 'expected' },
      { at: START + 12 * HOUR, kind: 'timeout' },
    ])
  })

  it('of a unit that ended ends there', () => {
    const ended = { ...unit, result: 'failed', end_time: iso(START + 6 * HOUR) }
    expect(unitChart(record, ended, START + 50 * HOUR)).toMatchObject({
      to: START + 6 * HOUR,
      limits: [{ at: START + 6 * HOUR, kind: 'end' }],
    })
    const upload = { at: START + 6 * HOUR, progress: 1, ppd: 0, status: 'UPLOAD' } as const
    const seen = { ...record, moments: [...record.moments, upload] }
    const last = (of: Unit) => unitChart(seen, of, START + 50 * HOUR)?.ppd.at(-1)?.value
    expect(last(ended)).toBe(3)
    expect(last(unit)).toBe(0)
  })

  it('needs two moments', () => {
    expect(unitChart(undefined, unit, START)).toBeUndefined()
    expect(unitChart({ ...record, moments: record.moments.slice(0, 1) }, unit, START)).toBeUndefined()
  })
})

it.each([
  ['of the whole time of its core', unit, 100_000],
  ['without an estimate', { ...unit, eta: '' }, undefined],
  ['before its core reported', { ...unit, wu_progress: 0 }, undefined],
  ['after the deadline', { ...unit, eta: '40d' }, 0],
  ['of one that failed', { ...unit, result: 'failed', end_time: iso(START) }, 0],
  ['of one that was credited', { ...unit, result: 'credited', end_time: iso(START + HOUR), run_time: 36_000 }, 100_000],
] as const)('points %s', (_, of, expected) => {
  expect(expectedPoints(of, undefined, START + 5 * HOUR)).toBe(expected)
})
