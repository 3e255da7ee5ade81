import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import type { ArchivedUnit, History } from '../unit/history.ts'
import { formatIso } from '../text/times.ts'
import { logBookOf, type LogBook } from './log-book.ts'
import { projectWorkOf } from './project-work.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIRST = Date.parse('2024-02-29T12:00:00Z')
const LATER = FIRST + 4000 * DAY

type Ended = {
  readonly end: number
  readonly project?: number
  readonly points?: number
  readonly rest?: Partial<Unit>
}

/** It ran for an hour. */
function archived({ end, project = 18_420, points = 1000, rest = {} }: Ended, index: number): ArchivedUnit {
  return {
    key: `attic ${index}`,
    machine: 'attic',
    unit: {
      id: String(index),
      result: 'credited',
      end_time: formatIso(end),
      run_time: 3600,
      ppd: 24 * points,
      assignment: { project, time: formatIso(end - 2 * HOUR) },
      ...rest,
    },
  }
}

function unitsOf(units: readonly Ended[]): History['units'] {
  return new Map(units.map((unit, index) => archived(unit, index)).map(unit => [unit.key, unit]))
}

function hourly(count: number, points = 1000): readonly Ended[] {
  return Array.from({ length: count }, (_, index) => ({ end: FIRST + index * HOUR, points }))
}

function bookOf(units: readonly Ended[], until = LATER): LogBook {
  return logBookOf(unitsOf(units), until)
}
function titles({ entries }: LogBook) {
  return entries.map(({ kind, count, archived: of }) => `${count} ${kind} ${of?.unit.id ?? ''}`)
}

describe('the log book', () => {
  it('has the first unit, the tenth and the hundredth, and the unit that completed a count of points, newest first', () => {
    expect(titles(bookOf(hourly(120)))).toEqual(['100000 points 99', '100 units 99', '10 units 9', '1 units 0'])
  })

  it('has every count of points that one unit passes', () => {
    expect(titles(bookOf([{ end: FIRST, points: 12_000_000 }]))).toEqual([
      '10000000 points 0',
      '1000000 points 0',
      '100000 points 0',
      '1 units 0',
    ])
  })

  it('has the years between the first and the last unit, also after the 29th of February', () => {
    const years = (days: number) =>
      bookOf([{ end: FIRST }, { end: FIRST + days * DAY }]).entries.filter(({ kind }) => kind === 'years')
    expect(years(365)).toEqual([])
    expect(years(366)).toEqual([
      { at: Date.parse('2025-03-01T12:00:00Z'), kind: 'years', count: 1, archived: undefined },
    ])
    expect(years(1000).map(({ count }) => count)).toEqual([2, 1])
  })

  it.each<[string, Partial<Unit>, Pick<LogBook, 'units' | 'points' | 'withoutPoints' | 'seconds'>]>([
    ['failed counts nothing', { result: 'failed' }, { units: 0, points: 0, withoutPoints: 0, seconds: 0 }],
    ['has no known credit has no points', { ppd: 0 }, { units: 1, points: 0, withoutPoints: 1, seconds: 3600 }],
    [
      'has its base credit only has that',
      { ppd: 0, assignment: { credit: 70 } },
      { units: 1, points: 70, withoutPoints: 0, seconds: 3600 },
    ],
    ['ran for years is an error', { run_time: 1e9 }, { units: 1, points: 0, withoutPoints: 1, seconds: 0 }],
  ])('a unit that %s', (_, rest, work) => {
    expect(bookOf([{ end: FIRST, rest }])).toMatchObject(work)
  })

  it.each([
    ['has not come yet', LATER + DAY],
    ['was before Folding@home', 1000],
    ['is not known', Number.NaN],
  ])('counts a unit whose end %s, and has no entry for it', (_, end) => {
    const book = bookOf([{ end }])
    expect(book.units).toBe(1)
    expect(book.since).toBeUndefined()
    expect(book.entries).toEqual([])
  })

  it('names the project with most units; of two, that with more points', () => {
    const units = [
      { end: FIRST, project: 1 },
      { end: FIRST, project: 2, points: 9 },
      { end: FIRST, project: 2, points: 9 },
    ]
    expect(bookOf(units).mostFolded?.project).toBe(2)
    expect(bookOf(units.slice(0, 2)).mostFolded?.project).toBe(1)
    expect(bookOf([]).mostFolded).toBeUndefined()
  })
})

const history = fc.array(
  fc.record({
    end: fc.integer({ min: 0, max: 1500 }),
    project: fc.integer({ min: 1, max: 3 }),
    points: fc.integer({ min: 0, max: 400_000 }),
  }),
  { maxLength: 200 },
)

it('what is in the log book stays when later units come, in whatever order the history has them', () => {
  fc.assert(
    fc.property(history, fc.array(fc.nat(), { maxLength: 200 }), (units, order) => {
      const inTime = units.map(unit => ({ ...unit, end: FIRST + unit.end * DAY })).sort((a, b) => a.end - b.end)
      const all = [...unitsOf(inTime).values()]
      const shuffled = all.map((unit, index) => [order[index] ?? 0, unit] as const).sort(([a], [b]) => a - b)
      const part = all.slice(0, Math.floor(all.length / 2))
      const entriesOf = (some: readonly ArchivedUnit[]) =>
        new Set(
          logBookOf(new Map(some.map(unit => [unit.key, unit])), LATER).entries.map(entry => JSON.stringify(entry)),
        )
      const whole = entriesOf(shuffled.map(([, unit]) => unit))
      expect(whole).toEqual(entriesOf(all))
      expect([...entriesOf(part)].filter(entry => !whole.has(entry))).toEqual([])
    }),
  )
})

describe('the work for each project', () => {
  it('has since when and until when it was folded, also where units failed, and is sorted by the last end', () => {
    const works = projectWorkOf(
      unitsOf([
        { end: FIRST, project: 1 },
        { end: FIRST + DAY, project: 2 },
        { end: FIRST + 3 * DAY, project: 1, rest: { result: 'failed' } },
        { end: FIRST, project: Number.NaN },
      ]),
    )
    expect([...works.values()]).toEqual([
      {
        project: 1,
        units: 1,
        points: 1000,
        withoutPoints: 0,
        logged: 0,
        seconds: 3600,
        since: FIRST - 2 * HOUR,
        until: FIRST + 3 * DAY,
      },
      {
        project: 2,
        units: 1,
        points: 1000,
        withoutPoints: 0,
        logged: 0,
        seconds: 3600,
        since: FIRST + DAY - 2 * HOUR,
        until: FIRST + DAY,
      },
    ])
  })

  it('adds up to that of the log book', () => {
    fc.assert(
      fc.property(history, found => {
        const units = unitsOf(found.map(unit => ({ ...unit, end: FIRST + unit.end * DAY })))
        const works = [...projectWorkOf(units).values()]
        const book = logBookOf(units, LATER)
        for (const name of ['units', 'points', 'withoutPoints', 'seconds'] as const)
          expect(works.reduce((sum, work) => sum + work[name], 0)).toBeCloseTo(book[name], 3)
      }),
    )
  })
})
