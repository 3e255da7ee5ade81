import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import type { ArchivedClient } from '../unit/archived-client.ts'
import { emptyHistory, newInReport, withExcerpt, type History } from '../unit/history.ts'
import { formatIso } from '../text/times.ts'
import {
  clientPoints,
  clientTrend,
  pointsByDay,
  pointsOfDay,
  ppdHistoryOf,
  ppdIn,
  ppdSeries,
  prepareSpans,
  runningSpanOf,
  spanOf,
  usualPpd,
  type PointSpan,
} from './ppd-history.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-20T12:00:00Z')

type Ended = { readonly end: number; readonly hours: number; readonly ppd?: number; readonly rest?: Partial<Unit> }

function ended({ end, hours, ppd = 24_000, rest = {} }: Ended): Unit {
  return {
    id: `${end} ${hours}`,
    state: 'UPLOAD',
    result: 'credited',
    end_time: formatIso(end),
    run_time: hours * 3600,
    ppd,
    assignment: { project: 18_420, time: formatIso(end - 2 * hours * HOUR), credit: 700 },
    ...rest,
  }
}

function span(from: number, to: number, ppd: number): PointSpan {
  return {
    from,
    to,
    ppd,
    points: (ppd * (to - from)) / DAY,
  }
}

describe('the points of each day', () => {
  const midnight = (ago: number): number => new Date(2026, 10, 20 - ago).getTime()
  const noon = midnight(0) + 12 * HOUR

  it('are those of the part of each unit that ran between two local midnights, until now', () => {
    const days = pointsByDay(
      [span(midnight(1) - 6 * HOUR, midnight(1) + 6 * HOUR, 24_000), span(midnight(0) - HOUR, noon + HOUR, 48_000)],
      noon,
      3,
    )
    expect(days).toEqual([
      { from: midnight(2), points: 6000 },
      { from: midnight(1), points: 8000 },
      { from: midnight(0), points: 24_000 },
    ])
  })

  it('are together the points of all that ran within these days', () => {
    const spans = fc.array(
      fc.record({ start: fc.integer({ min: 0, max: 9 * 24 }), hours: fc.integer({ min: 1, max: 60 }) }),
    )
    fc.assert(
      fc.property(spans, all => {
        const from = midnight(6)
        const units = all.map(({ start, hours }) => span(from + start * HOUR, from + (start + hours) * HOUR, 24_000))
        const inRange = units.map(unit => span(unit.from, Math.max(unit.from, Math.min(unit.to, noon)), 24_000))
        const sum = pointsByDay(units, noon, 7).reduce((whole, { points }) => whole + points, 0)
        const expected = inRange.filter(unit => unit.from < noon).reduce((whole, { points }) => whole + points, 0)
        expect(Math.abs(sum - expected)).toBeLessThan(8)
      }),
    )
  })
})

describe('the points of a unit', () => {
  it('are its PPD times its run time, which ends with it', () => {
    expect(spanOf(ended({ end: NOW, hours: 6 }))).toEqual({ from: NOW - 6 * HOUR, to: NOW, ppd: 24_000, points: 6000 })
  })

  it.each<[string, Partial<Unit>]>([
    ['it failed', { result: 'failed' }],
    ['its end is unknown', { end_time: 'soon' }],
    ['it ran for longer than any deadline', { run_time: 1e9, assignment: {} }],
    ['neither PPD nor base credit are known', { ppd: 0, assignment: {} }],
    ['neither run time nor assignment are known', { run_time: -1, assignment: {} }],
  ])('are none when %s', (_, rest) => {
    expect(spanOf(ended({ end: NOW, hours: 6, rest }))).toBeUndefined()
  })

  it('are the base credit when the client reports no PPD', () => {
    expect(spanOf(ended({ end: NOW, hours: 6, ppd: 0 }))).toEqual({
      from: NOW - 6 * HOUR,
      to: NOW,
      ppd: 2800,
      points: 700,
    })
  })

  it('fill the time since the assignment without a run time', () => {
    const rest = { assignment: { time: formatIso(NOW - 2 * HOUR) }, run_time: 0 }
    expect(spanOf(ended({ end: NOW, hours: 6, rest }))).toMatchObject({ from: NOW - 2 * HOUR, points: 2000 })
  })
})

describe('the points of a unit that runs', () => {
  const running: Unit = {
    id: 'a',
    state: 'RUN',
    ppd: 24_000,
    run_time: 3600,
    start_time: formatIso(NOW - HOUR),
    assignment: { time: formatIso(NOW - 9 * HOUR) },
  }

  it('cover its run time up to now', () => {
    expect(runningSpanOf(running, NOW)).toEqual({ from: NOW - 2 * HOUR, to: NOW, ppd: 24_000, points: 2000 })
  })

  it('do not begin before the assignment', () => {
    const assignment = { time: formatIso(NOW - HOUR) }
    expect(runningSpanOf({ ...running, assignment }, NOW)?.from).toBe(NOW - HOUR)
  })

  it.each<[string, Partial<Unit>]>([
    ['is paused', { pause_reason: 'Paused' }],
    ['has no PPD yet', { ppd: 0 }],
    ['has not run yet', { run_time: 0, start_time: '' }],
  ])('are none while it %s', (_, rest) => {
    expect(runningSpanOf({ ...running, ...rest }, NOW)).toBeUndefined()
  })
})

describe('points per day in steps', () => {
  it('are spread over the run time', () => {
    const spans = [span(NOW - 3 * HOUR, NOW - HOUR, 240), span(NOW - 1.5 * HOUR, NOW, 480)]
    expect(ppdIn(spans, { from: NOW - 4 * HOUR, to: NOW, step: HOUR })).toEqual([0, 240, 480, 480])
  })

  it('are averages over the part of the last step that has passed', () => {
    expect(ppdIn([span(NOW - HOUR, NOW, 240)], { from: NOW - HOUR, to: NOW, step: 2 * HOUR })).toEqual([240])
  })

  it('neither lose nor invent points', () => {
    const spans = fc.array(
      fc
        .tuple(fc.integer({ min: -200, max: 120 }), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 1e6 }))
        .map(([at, hours, ppd]) => span(NOW + at * HOUR, NOW + (at + hours) * HOUR, ppd)),
    )
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 30 }), (some, hours) => {
        const [from, to, step] = [NOW - 100 * HOUR, NOW + 100 * HOUR, hours * HOUR]
        const sum = ppdIn(some, { from, to, step }).reduce(
          (points, ppd, at) => points + (ppd * (Math.min(to, from + (at + 1) * step) - (from + at * step))) / DAY,
          0,
        )
        const inside = some.reduce(
          (points, one) => points + (one.ppd * Math.max(0, Math.min(to, one.to) - Math.max(from, one.from))) / DAY,
          0,
        )
        expect(Math.abs(sum - inside)).toBeLessThanOrEqual(1e-6 * Math.max(1, inside))
      }),
    )
  })

  it('are limited in number', () => {
    expect(ppdIn([], { from: 0, to: NOW, step: 1 })).toHaveLength(2000)
  })
})

describe('a series', () => {
  it('begins with the first unit and ends now', () => {
    const series = ppdSeries([span(NOW - 3 * HOUR, NOW, 240)], 'week', NOW)
    expect(series).toEqual([
      { at: NOW - 2.5 * HOUR, value: 240 },
      { at: NOW - 1.5 * HOUR, value: 240 },
      { at: NOW - 0.5 * HOUR, value: 240 },
    ])
  })

  it('is no longer than its range, in hours up to a week and in days beyond', () => {
    const spans = [span(NOW - 100 * DAY, NOW, 240)]
    expect(ppdSeries(spans, 'day', NOW)).toHaveLength(24)
    expect(ppdSeries(spans, 'week', NOW)).toHaveLength(168)
    expect(ppdSeries(spans, 'month', NOW)).toHaveLength(31)
    expect(ppdSeries(spans, 'all', NOW)).toHaveLength(101)
  })

  it('is empty without units', () => {
    expect(ppdSeries([], 'month', NOW)).toEqual([])
  })
})

describe('the usual PPD', () => {
  const night = (day: number, ppd: number) => span(NOW - day * DAY, NOW - day * DAY + 8 * HOUR, ppd)

  it('is the median over the time in which the client folded', () => {
    expect(usualPpd([night(7, 100), night(6, 400), night(5, 100), night(4, 300), night(3, 200)], NOW)).toBe(200)
  })

  it('counts units that run at once together', () => {
    const twice = [18, 14, 10].flatMap(hours => [
      span(NOW - hours * HOUR, NOW - (hours - 4) * HOUR, 50),
      span(NOW - hours * HOUR, NOW - (hours - 4) * HOUR, 100),
    ])
    expect(usualPpd(twice, NOW)).toBe(150)
  })

  it('ignores what is older than 14 days', () => {
    expect(
      usualPpd([span(NOW - 20 * DAY, NOW - 15 * DAY, 900), ...[6, 5, 4, 3, 2].map(day => night(day, 100))], NOW),
    ).toBe(100)
  })

  it('is unknown with less than twelve hours of known time, or fewer than five units', () => {
    const hourly = (hours: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        span(NOW - (index + 1) * hours * HOUR, NOW - index * hours * HOUR, 100),
      ).reverse()
    expect(usualPpd(hourly(2, 5), NOW)).toBeUndefined()
    expect(usualPpd(hourly(20, 4), NOW)).toBeUndefined()
    expect(usualPpd(hourly(3, 5), NOW)).toBe(100)
    expect(usualPpd([], NOW)).toBeUndefined()
  })

  it('lies between the lowest unit and the sum of all', () => {
    const spans = fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 6, max: 40 }), fc.integer({ min: 1, max: 1e6 }))
        .map(([ago, hours, ppd]) => span(NOW - (ago + hours) * HOUR, NOW - ago * HOUR, ppd)),
      { minLength: 5 },
    )
    fc.assert(
      fc.property(spans, some => {
        const usual = usualPpd(
          [...some].sort((a, b) => a.to - b.to),
          NOW,
        )
        if (usual === undefined) return
        expect(usual).toBeGreaterThanOrEqual(Math.min(...some.map(({ ppd }) => ppd)))
        expect(usual).toBeLessThanOrEqual(some.reduce((sum, { ppd }) => sum + ppd, 1))
      }),
    )
  })
})

describe('the points of a day', () => {
  it('are those of the units that ended in the last 24 hours', () => {
    const spans = [
      span(NOW - 3 * DAY, NOW - 1.1 * DAY, 9000),
      span(NOW - 2 * DAY, NOW - 0.9 * DAY, 100),
      span(NOW - DAY, NOW, 20),
      span(NOW - HOUR, NOW + HOUR, 5000),
    ]
    expect(pointsOfDay(spans, NOW)).toBe(130)
  })
})

describe('the history of clients', () => {
  const attic: ArchivedClient = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
  const cellar: ArchivedClient = { ...attic, id: 'cellar', name: 'Cellar' }
  const add = (history: History, client: ArchivedClient, ...units: readonly Unit[]): History =>
    withExcerpt(history, newInReport(history, client, units))

  it('has the spans of each client by their end, and none of units without points', () => {
    const one = add(emptyHistory, attic, ended({ end: NOW, hours: 1 }), ended({ end: NOW - DAY, hours: 2 }))
    const two = add(one, cellar, ended({ end: NOW, hours: 3, rest: { result: 'dumped' } }))
    const spans = ppdHistoryOf(two)
    expect([...spans.keys()]).toEqual(['attic'])
    expect(spans.get('attic')?.spans.map(({ to }) => to)).toEqual([NOW - DAY, NOW])
  })

  it('can be prepared in parts', () => {
    const { units } = add(emptyHistory, attic, ended({ end: NOW, hours: 1 }), ended({ end: NOW - DAY, hours: 2 }))
    const rest = units.values()
    expect(prepareSpans(rest, 2)).toBe(true)
    expect(prepareSpans(rest, 2)).toBe(false)
    expect(ppdHistoryOf({ units }).get('attic')?.spans).toHaveLength(2)
  })

  it('keeps clients in which nothing changed, and what was derived from them', () => {
    const one = add(emptyHistory, attic, ended({ end: NOW - HOUR, hours: 7 }))
    const before = ppdHistoryOf(add(one, cellar, ended({ end: NOW - HOUR, hours: 7 })))
    const after = ppdHistoryOf(add(one, cellar, ended({ end: NOW, hours: 7 })), before)
    const [first, same] = [before.get('attic'), after.get('attic')]
    if (first === undefined || same === undefined) throw new Error('The machine is missing.')
    expect(same).toBe(first)
    expect(after.get('cellar')).not.toBe(before.get('cellar'))
    const points = clientPoints(first, NOW)
    expect(points).toEqual({ usualPpd: undefined, pointsDay: 7000 })
    const trend = clientTrend(first, NOW)
    expect(trend).toHaveLength(28)
    expect(trend.at(-1)).toBeCloseTo(20_000)
    expect(clientPoints(same, NOW + 60_000)).toEqual(points)
    expect(clientTrend(same, NOW + 60_000)).toEqual(trend)
    expect(clientPoints(same, NOW + 60_000)).toBe(points)
    expect(clientPoints(same, NOW + DAY)).toMatchObject({ pointsDay: 0 })
  })
})
