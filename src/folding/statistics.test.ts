import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Unit } from '../protocol/client-data.ts'
import type { KeptUnit } from './history.ts'
import { benchmarkKey, benchmarksOf, rankBucket, spreadOf, unitStatistics } from './statistics.ts'
import type { UnitRow } from './unit-rows.ts'
import { ANY_UNIT, filterChoices, filterRows, newestFirst, unitRow } from './unit-rows.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const GPU = 'gpu:01:00:00'

const context = {
  machine: 'Attic',
  now: NOW,
  locale: 'en-US',
  data: {
    info: { os: 'linux', gpus: { [GPU]: { description: 'RTX 4090' } } },
    config: {},
    groups: {},
    units: [],
  },
}

/** A row as a real client reports it, captured from an 8.5.7. */
const credited: Unit = {
  cpus: 1,
  gpus: [],
  group: '',
  id: '_0CFrRVzVNyOpnqEjnwicLShkoJxPPOn7Pjg_7sVntE',
  number: 22,
  state: 'UPLOAD',
  run_time: 4000,
  wu_progress: 1,
  eta: '0s',
  ppd: 98_765,
  assignment: {
    core: { type: '0xaa' },
    cpus: 1,
    credit: 14_500,
    deadline: 259_200,
    project: 18_422,
    time: '2026-11-20T13:35:09Z',
    timeout: 129_600,
    ws: 'localhost',
  },
  wu: { clone: 1, gen: 1, run: 1 },
  paused: false,
  progress: 0.106,
  end_time: '2026-11-20T13:46:55Z',
  result: 'credited',
}

const kept = (unit: Unit): KeptUnit => ({ key: `attic ${unit.id ?? ''}`, machine: 'attic', unit })

const row = (more: Partial<UnitRow> = {}): UnitRow => ({ ...unitRow(kept(credited), context), ...more })

describe('a unit’s row', () => {
  it('is flat', () => {
    expect(unitRow(kept(credited), context)).toEqual({
      key: 'attic _0CFrRVzVNyOpnqEjnwicLShkoJxPPOn7Pjg_7sVntE',
      machineId: 'attic',
      unit: credited,
      machine: 'Attic',
      project: 18_422,
      core: '0xaa',
      os: 'Linux',
      state: 'Credited',
      resources: '1 CPU',
      progress: 1,
      tpf: 40,
      ppd: 98_765,
      assigned: Date.UTC(2026, 10, 20, 13, 35, 9),
      ended: Date.UTC(2026, 10, 20, 13, 46, 55),
    })
  })

  it('may know next to nothing', () => {
    const bare = unitRow(
      kept({ id: 'x', number: 1, state: 'CORE', result: 'expired', end_time: '2026-11-20T13:46:40Z' }),
      context,
    )
    expect([
      bare.project,
      bare.core,
      bare.resources,
      bare.progress,
      bare.tpf,
      bare.ppd,
      bare.assigned,
      bare.state,
    ]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, undefined, 'Expired'])
  })
})

describe('the filter', () => {
  const rows = [
    row({ key: '1', project: 9, resources: '1 CPU', assigned: NOW - 1000 }),
    row({
      key: '2',
      project: 10,
      machine: 'Cellar',
      progress: 0.42,
      state: 'Dumped',
      assigned: NOW - 3 * 86_400_000,
    }),
    row({
      key: '3',
      project: undefined,
      core: undefined,
      resources: undefined,
      os: undefined,
      progress: undefined,
      assigned: undefined,
    }),
  ]
  const keys = (filter: Parameters<typeof filterRows>[1]) =>
    filterRows(rows, filter, NOW).map(({ key }) => key)

  it('lets everything through at first, as the same list', () => {
    expect(filterRows(rows, ANY_UNIT, NOW)).toBe(rows)
    expect(filterRows(rows, { days: Number.NaN, isComplete: false }, NOW)).toBe(rows)
  })

  it('goes by each field, by days and by completion, and by all of them together', () => {
    expect(keys({ project: '10' })).toEqual(['2'])
    expect(keys({ machine: 'Attic' })).toEqual(['1', '3'])
    expect(keys({ os: 'Linux', core: '0xaa' })).toEqual(['1', '2'])
    expect(keys({ resources: '1 CPU', state: 'Dumped' })).toEqual(['2'])
    expect(keys({ days: 2 })).toEqual(['1'])
    expect(keys({ days: 3 })).toEqual(['1', '2'])
    expect(keys({ isComplete: true })).toEqual(['1'])
    expect(keys({ project: '9', machine: 'Cellar' })).toEqual([])
  })

  it('offers the distinct values found, sorted as people do', () => {
    expect(filterChoices(rows)).toEqual({
      machine: ['Attic', 'Cellar'],
      project: ['9', '10'],
      os: ['Linux'],
      state: ['Credited', 'Dumped'],
      resources: ['1 CPU'],
      core: ['0xaa'],
    })
  })

  it('offers only choices that let something through', () => {
    const some = fc.array(
      fc.record({
        project: fc.option(fc.nat(5), { nil: undefined }),
        machine: fc.string(),
        progress: fc.constantFrom(0.5, 1),
      }),
    )
    fc.assert(
      fc.property(some, (parts) => {
        const all = parts.map((part) => row(part))
        for (const project of filterChoices(all).project) {
          const passing = filterRows(all, { project }, NOW)
          expect(passing.length).toBeGreaterThan(0)
          expect(passing.every((one) => String(one.project) === project)).toBe(true)
        }
      }),
    )
  })

  it('comes with the newest assignment first', () => {
    const ended = row({ key: '4', assigned: undefined, ended: NOW })
    expect(
      [rows[2], ended, rows[1], rows[0]]
        .map((one) => one ?? row())
        .sort(newestFirst)
        .map(({ key }) => key),
    ).toEqual(['1', '2', '4', '3'])
  })
})

describe('average, least and most', () => {
  it('count finite values only', () => {
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
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
        const spread = spreadOf(values)
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect([spread?.min, spread?.max, spread?.count]).toEqual([
          Math.min(...values),
          Math.max(...values),
          values.length,
        ])
        expect(Math.abs((spread?.average ?? Number.NaN) - mean)).toBeLessThan(1e-3)
      }),
    )
  })

  it('stay between least and most, however large the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const spread = spreadOf(values) ?? { average: Number.NaN, min: 0, max: 0 }
          expect(spread.average).toBeGreaterThanOrEqual(spread.min)
          expect(spread.average).toBeLessThanOrEqual(spread.max)
        },
      ),
    )
  })

  it('of units round the average of points', () => {
    const rows = [row({ tpf: 10, ppd: 1 }), row({ tpf: 25, ppd: 2 }), row({ tpf: undefined, ppd: undefined })]
    expect(unitStatistics(rows)).toEqual({
      tpf: { average: 17.5, min: 10, max: 25, count: 2 },
      ppd: { average: 2, min: 1, max: 2, count: 2 },
    })
    expect(unitStatistics([])).toEqual({ tpf: undefined, ppd: undefined })
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
      latestTpf: 50,
      averagePpd: 151,
    })
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
    .map((parts) => parts.map((part, index) => row({ ...part, key: String(index), ended: part.ended * 1000 + index })))

  it('equal their plain definitions, and count every unit with a project and a time per frame once', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const timed = all.filter(({ project, tpf }) => project !== undefined && tpf !== undefined)
        const benchmarks = benchmarksOf(all)
        expect(new Set(benchmarks.map(({ key }) => key))).toEqual(new Set(timed.map(benchmarkKey)))
        for (const benchmark of benchmarks) {
          const own = timed.filter((one) => benchmarkKey(one) === benchmark.key)
          const times = own.map(({ tpf = 0 }) => tpf)
          const points = own.flatMap(({ ppd }) => (ppd === undefined ? [] : [ppd]))
          const last = own.reduce((a, b) => ((b.ended ?? 0) > (a.ended ?? 0) ? b : a))
          expect([benchmark.count, benchmark.fastestTpf, benchmark.latestTpf]).toEqual([own.length, Math.min(...times), last.tpf])
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
])('rank %s is %s', (rank, bucket) => {
  expect(rankBucket(rank)).toBe(bucket)
})
