import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_POINTS, type SeriesPoint } from '../../protocol/api/series.ts'
import { daysOf, linePath, MAX_STEP, mergePoints, ppdSamples, rangeStart, samplesOf, scoreAt } from './series.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function hourly(count: number, score: (hour: number) => number): readonly SeriesPoint[] {
  return Array.from({ length: count }, (_, hour) => ({ at: hour * HOUR, score: score(hour), wus: hour }))
}

function pointAt(hour: number, score = hour * 100): SeriesPoint {
  return { at: hour * HOUR, score, wus: hour }
}

/** Points at odd times, some of them days apart, whose score never falls. */
const anyPoints = fc
  .array(fc.record({ step: fc.integer({ min: 1, max: 3 * DAY }), gain: fc.integer({ min: 0, max: 1_000_000 }) }), {
    maxLength: 60,
  })
  .map(steps => {
    let [at, score, wus] = [0, 0, 0]
    return steps.map(({ step, gain }): SeriesPoint => {
      at += step
      score += gain
      wus += 1
      return { at, score, wus }
    })
  })

describe('points that are brought together', () => {
  it('are in order, each instant once, whatever came when', () => {
    fc.assert(
      fc.property(anyPoints, fc.array(fc.nat({ max: 59 })), (points, shuffled) => {
        const some = shuffled.flatMap(index => points[index] ?? [])
        expect(mergePoints(mergePoints([], some), points)).toEqual(points)
        expect(mergePoints(points, some)).toBe(points)
      }),
    )
  })

  it('follow a correction of an instant, and are no more than ten thousand', () => {
    expect(mergePoints([pointAt(1), pointAt(2)], [pointAt(1, 50)])).toEqual([pointAt(1, 50), pointAt(2)])
    const many = hourly(MAX_POINTS, hour => hour)
    expect(mergePoints(many, [pointAt(MAX_POINTS)])).toHaveLength(MAX_POINTS)
    expect(mergePoints(many, [pointAt(MAX_POINTS)]).at(-1)?.at).toBe(MAX_POINTS * HOUR)
  })
})

describe('points per day', () => {
  it('are what the score has grown by in 24 hours, and unknown during the first [10.15]', () => {
    const samples = ppdSamples(hourly(49, hour => hour * 1000))
    expect(samples.map(({ value }) => value)).toEqual([
      ...Array<undefined>(24).fill(undefined),
      ...Array<number>(25).fill(24_000),
    ])
  })

  it('are as defined, for any points', () => {
    fc.assert(
      fc.property(anyPoints, points => {
        for (const [index, { value }] of ppdSamples(points).entries()) {
          const { at, score } = points[index] ?? pointAt(0)
          const then = at - DAY
          const before = points.filter(point => point.at <= then).at(-1)
          const after = points.find(point => point.at > then)
          const isKnown =
            before !== undefined && (before.at === then || (after !== undefined && after.at - before.at <= MAX_STEP))
          expect(value !== undefined).toBe(isKnown)
          if (value === undefined || before === undefined) continue
          expect(value).toBeGreaterThanOrEqual(score - (after ?? before).score - 1e-6)
          expect(value).toBeLessThanOrEqual(score - before.score + 1e-6)
        }
      }),
    )
  })

  it('invent nothing where points are missing: not within a gap, not a day after it [12.18]', () => {
    const points = [...hourly(30, hour => hour * 100), ...[40, 41, 53, 54, 64, 65].map(hour => pointAt(hour))]
    const hours = ppdSamples(points).flatMap(({ at, value }) => (value === undefined ? [] : [at / HOUR]))
    // 54 − 24 = 30 lies in the gap after 29, and so does 63 − 24 = 39; 64 − 24 = 40 was measured.
    expect(hours).toEqual([24, 25, 26, 27, 28, 29, 40, 41, 53, 64, 65])
    expect(scoreAt(points, 30 * HOUR)).toBeUndefined()
    expect(scoreAt(points, 28.5 * HOUR)).toBe(2850)
    expect(scoreAt([], 0)).toBeUndefined()
  })
})

describe('a line', () => {
  it('is interrupted once for each gap, and begins where the range does', () => {
    const points = [0, 1, 2, 10, 11, 30].map(hour => pointAt(hour))
    expect(samplesOf(points, 'wus').map(({ value }) => value)).toEqual([0, 1, 2, undefined, 10, 11, undefined, 30])
    expect(samplesOf(points, 'score', 10 * HOUR).map(({ value }) => value)).toEqual([1000, 1100, undefined, 3000])
    expect(rangeStart(points, 'day')).toBe(6 * HOUR)
    expect(rangeStart(points, 'all')).toBe(-Infinity)
  })

  it('never has a value that was not measured', () => {
    fc.assert(
      fc.property(anyPoints, points => {
        const measured = new Map(points.map(({ at, wus }) => [at, wus]))
        for (const { at, value } of samplesOf(points, 'wus'))
          if (value !== undefined) expect(measured.get(at)).toBe(value)
      }),
    )
  })

  it('is drawn with a break at a gap', () => {
    expect(
      linePath(
        [
          { at: 0, value: 0 },
          { at: 5, value: undefined },
          { at: 6, value: 5 },
          { at: 10, value: 10 },
        ],
        100,
        10,
      ),
    ).toBe('M0.0 10.0M60.0 5.0L100.0 0.0')
    expect(linePath([{ at: 0, value: 1 }], 100, 10)).toBe('')
    expect(linePath([], 100, 10)).toBe('')
  })
})

describe('days', () => {
  it('have the last point of each and what came in the 24 hours before it, the newest first', () => {
    const days = daysOf(hourly(50, hour => hour * 10))
    expect(days).toEqual([
      { at: 49 * HOUR, score: 490, wus: 49, ppd: 240 },
      { at: 47 * HOUR, score: 470, wus: 47, ppd: 240 },
      { at: 23 * HOUR, score: 230, wus: 23, ppd: undefined },
    ])
    expect(
      daysOf(
        hourly(50, hour => hour),
        30 * HOUR,
      ),
    ).toHaveLength(2)
  })
})
