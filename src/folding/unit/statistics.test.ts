import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { NOW, row } from '../../../test/unit-rows.ts'
import { benchmarkKey, benchmarksOf, rankBucket, spreadOf, unitStatistics } from './statistics.ts'

describe('average, least and most', () => {
  it('count finite values only [2.30, 9.7]', () => {
    expect(spreadOf([1, undefined, 2, Number.NaN, Number.POSITIVE_INFINITY, 6])).toEqual({
      average: 3,
      min: 1,
      max: 6,
      count: 3,
    })
    expect(spreadOf([undefined, Number.NaN])).toBeUndefined()
    expect(spreadOf([])).toBeUndefined()
    expect(spreadOf([0])).toEqual({ average: 0, min: 0, max: 0, count: 1 })
  })

  it('equal their plain definitions', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), values => {
        const spread = spreadOf(values)
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(spread?.min).toEqual(Math.min(...values))
        expect(spread?.max).toEqual(Math.max(...values))
        expect(spread?.count).toEqual(values.length)
        expect(Math.abs((spread?.average ?? Number.NaN) - mean)).toBeLessThan(1e-3)
      }),
    )
  })

  it('stay between least and most, however large the values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), values => {
        const spread = spreadOf(values) ?? { average: Number.NaN, min: 0, max: 0 }
        expect(spread.average).toBeGreaterThanOrEqual(spread.min)
        expect(spread.average).toBeLessThanOrEqual(spread.max)
      }),
    )
  })

  it('of units round the average of points', () => {
    const rows = [row({ tpf: 10, ppd: 1 }), row({ tpf: 25, ppd: 2 }), row({ tpf: undefined, ppd: undefined })]
    expect(unitStatistics(rows)).toMatchObject({
      tpf: { average: 17.5, min: 10, max: 25, count: 2 },
      ppd: { average: 2, min: 1, max: 2, count: 2 },
    })
    expect(unitStatistics([])).toMatchObject({ tpf: undefined, ppd: undefined })
  })
})

describe('benchmarks', () => {
  it('are by project, resources and core', () => {
    const rows = [
      row({ tpf: 40, ppd: 100, ended: NOW - 2000 }),
      row({ tpf: 50, ppd: 201, ended: NOW - 1000 }),
      row({ tpf: 30, ppd: undefined, ended: NOW - 3000 }),
      row({ tpf: 5, resources: 'RTX 4090' }),
      row({ tpf: 5, project: 1 }),
      row({ tpf: undefined }),
      row({ project: undefined }),
    ]
    const benchmarks = benchmarksOf(rows)
    expect(benchmarks.map(({ project, resources, count }) => [project, resources, count])).toEqual([
      [1, '1 CPU', 1],
      [18_422, 'RTX 4090', 1],
      [18_422, '1 CPU', 3],
    ])
    expect(benchmarks[2]).toEqual({
      key: benchmarkKey(row()),
      project: 18_422,
      resources: '1 CPU',
      core: '0xaa',
      count: 3,
      averageTpf: 40,
      fastestTpf: 30,
      slowestTpf: 50,
      latestTpf: 50,
      averagePpd: 151,
      relativePpd: expect.any(Number) as number,
    })
  })

  it('are compared with what the same resources make of all their projects', () => {
    const rows = [
      row({ project: 1, tpf: 9, ppd: 100 }),
      row({ project: 2, tpf: 9, ppd: 300 }),
      row({ project: 2, tpf: 9, resources: 'RTX 4090', ppd: 900 }),
    ]
    expect(benchmarksOf(rows).map(({ resources, relativePpd }) => [resources, relativePpd])).toEqual([
      ['1 CPU', 0.5],
      ['1 CPU', 1.5],
      ['RTX 4090', undefined],
    ])
  })
})

describe('benchmarks of any units', () => {
  const rows = fc
    .array(
      fc.record({
        project: fc.constantFrom(1, 2, undefined),
        resources: fc.constantFrom('1 CPU', 'RTX 4090', undefined),
        core: fc.constantFrom('0xa9', '0x26'),
        tpf: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        ppd: fc.option(fc.integer({ min: 0, max: 1e7 }), { nil: undefined }),
        ended: fc.integer({ min: 1, max: 1e6 }),
      }),
    )
    .map(parts => parts.map((part, index) => row({ ...part, key: String(index), ended: part.ended * 1000 + index })))

  it('equal their plain definitions, and count every unit with a project and a time per frame once', () => {
    fc.assert(
      fc.property(rows, all => {
        const timed = all.filter(({ project, tpf }) => project !== undefined && tpf !== undefined)
        const benchmarks = benchmarksOf(all)
        expect(new Set(benchmarks.map(({ key }) => key))).toEqual(new Set(timed.map(benchmarkKey)))
        for (const benchmark of benchmarks) {
          const matching = timed.filter(one => benchmarkKey(one) === benchmark.key)
          const times = matching.map(({ tpf = 0 }) => tpf)
          const points = matching.flatMap(({ ppd }) => (ppd === undefined ? [] : [ppd]))
          const last = matching.reduce((a, b) => ((b.ended ?? 0) > (a.ended ?? 0) ? b : a))
          expect(benchmark.count).toEqual(matching.length)
          expect(benchmark.fastestTpf).toEqual(Math.min(...times))
          expect(benchmark.slowestTpf).toEqual(Math.max(...times))
          expect(benchmark.latestTpf).toEqual(last.tpf)
          expect(benchmark.averageTpf).toBeCloseTo(times.reduce((a, b) => a + b, 0) / times.length, 6)
          const average = points.reduce((a, b) => a + b, 0) / points.length
          if (points.length === 0) expect(benchmark.averagePpd).toBeUndefined()
          else expect(Math.abs((benchmark.averagePpd ?? Number.NaN) - average)).toBeLessThanOrEqual(0.5 + 1e-6)
        }
      }),
    )
  })
})

test.each<[unknown, string]>([
  [1, 'Top 100'],
  [100, 'Top 100'],
  [101, 'Top 1,000'],
  [1000, 'Top 1,000'],
  [1001, 'Top 10,000'],
  [10_001, 'Top 100,000'],
  [100_001, 'Top 1,000,000'],
  [1_000_000, 'Top 1,000,000'],
  [1_000_001, 'Unranked'],
  [0, 'Unranked'],
  [-1, 'Unranked'],
  [Number.NaN, 'Unranked'],
  [undefined, 'Unranked'],
  ['5', 'Unranked'],
])('rank %s is %s [9.5]', (rank, bucket) => {
  expect(rankBucket(rank)).toBe(bucket)
})
