import { describe, expect, it } from 'vitest'
import { decodeCredits, type Credit } from '../../protocol/api/api.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
import { projectWorkOf } from '../fleet/project-work.ts'
import { leftOutReason } from './unit-progress.ts'
import { creditedExcerpt, creditOf, leftOutExcerpt, nextQuestion, withNotesOf } from './credits.ts'
import { emptyHistory, newInReport, withExcerpt, type History } from './history.ts'
import { benchmarksOf, unitStatistics } from './statistics.ts'
import { readCsv, writeCsv } from './unit-csv.ts'
import { readJson, writeJson } from './unit-file.ts'
import { filterRows, rowsOf } from './unit-rows.ts'

const HOUR = 3_600_000
const END = Date.parse('2026-11-20T12:00:00Z')
const ASSIGNED = END - 2 * HOUR

function ended(id: string, more: Partial<Unit> = {}): Unit {
  return {
    id,
    result: 'credited',
    end_time: new Date(END).toISOString(),
    ppd: 24_000,
    run_time: 3600,
    assignment: { project: 18_400, time: new Date(ASSIGNED).toISOString() },
    wu: { run: 1, clone: 2, gen: 3 },
    ...more,
  }
}

function historyOf(...units: readonly Unit[]): History {
  const client = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
  return withExcerpt(emptyHistory, newInReport(emptyHistory, client, units))
}

function answered(history: History, id: string, at: number, points?: number): History {
  return withExcerpt(history, creditedExcerpt(history, [{ key: `attic ${id}`, at, points }]))
}

function credits(...rows: readonly (readonly [user: string, credit: number, assigned?: string])[]): readonly Credit[] {
  const read = decodeCredits(rows.map(([user, credit, assign_time = '']) => ({ user, credit, assign_time })))
  return read.ok ? read.value : []
}

describe('the unit whose credit is asked for next', () => {
  const nextOf = (history: History, now: number, ...done: readonly string[]) =>
    nextQuestion(rowsOf(history), new Set(done), now)?.key

  it('was credited, has a run, clone and gen, and is not answered', () => {
    const history = historyOf(ended('dumped', { result: 'dumped' }), ended('bare', { wu: {} }), ended('good'))
    expect(nextOf(history, END)).toBe('attic good')
    expect(nextOf(history, END, 'attic good')).toBeUndefined()
    expect(nextOf(answered(history, 'good', END, 5), END + 900 * HOUR)).toBeUndefined()
  })

  it.each([
    ['an hour', END + 60_000, HOUR],
    ['as long as it had waited', END + 30 * HOUR, 30 * HOUR],
  ])('was answered with nothing %s ago', (_, asked, gap) => {
    const history = answered(historyOf(ended('late')), 'late', asked)
    expect(nextOf(history, asked + gap - 1)).toBeUndefined()
    expect(nextOf(history, asked + gap)).toBe('attic late')
  })
})

describe('the credit of a unit', () => {
  const at = new Date(ASSIGNED).toISOString()
  it.each([
    ['is that of the donor, not of others', credits(['Bob', 7], ['Ada', 5]), 5],
    ['of several is that of the same assignment', credits(['Ada', 5], ['Ada', 6, at]), 6],
    ['of a name that everyone uses is that of the same assignment', credits(['Anonymous', 7], ['Anonymous', 8, at]), 8],
    ['stays unknown where nothing decides', credits(['Anonymous', 7]), undefined],
    ['stays unknown when it is that of others', credits(['Bob', 7, at]), undefined],
  ])('%s', (_, logged, points) => {
    expect(creditOf(logged, ['Ada', 'Anonymous'], ASSIGNED)).toBe(points)
  })
})

describe('points that were credited', () => {
  const history = answered(historyOf(ended('a'), ended('b')), 'a', END, 1500)
  const rows = rowsOf(history)

  it('are beside those that were estimated, in rows, sums and the log book', () => {
    expect(rows.map(({ estimated, credited }) => [estimated, credited])).toEqual([
      [1000, 1500],
      [1000, undefined],
    ])
    expect(unitStatistics(rows).points).toEqual({
      estimated: 2000,
      logged: 1500,
      estimatedOfLogged: 1000,
      loggedCount: 1,
    })
    expect(projectWorkOf(history.units).get(18_400)).toMatchObject({ points: 2500, logged: 1, units: 2 })
  })

  it('are what units are filtered by', () => {
    const found = (credit: string) => filterRows(rows, { credit }, END).map(({ unit }) => unit.id)
    expect(found('Known')).toEqual(['a'])
    expect(found('Not known')).toEqual(['b'])
  })

  it('are written to a file and read again', () => {
    const excerpt = { machines: [...history.machines.values()], units: [...history.units.values()] }
    const read = readCsv(writeCsv(excerpt, true))
    const again = read.ok ? withExcerpt(emptyHistory, read.excerpt) : emptyHistory
    expect(rowsOf(again).map(({ credited }) => credited)).toEqual([1500, undefined])
  })

  it('stay when a server has the same unit', () => {
    const [known] = history.units.values()
    const [served] = historyOf(ended('a')).units.values()
    if (served === undefined) throw new Error('The history is empty.')
    expect(withNotesOf(served, known)).toEqual(known)
    expect(withNotesOf(served, undefined)).toBe(served)
  })
})

describe('a unit that is left out of benchmarks', () => {
  const begun = historyOf(ended('slow', { tpf_secs: 900 }), ended('good', { tpf_secs: 100 }))
  const noted = withExcerpt(begun, leftOutExcerpt(begun, 'attic slow', 'the computer slept'))

  it('counts in none, and is found by its reason [11.6]', () => {
    expect(benchmarksOf(rowsOf(begun))).toMatchObject([{ count: 2, slowestTpf: 900 }])
    expect(benchmarksOf(rowsOf(noted))).toMatchObject([{ count: 1, slowestTpf: 100 }])
    const found = filterRows(rowsOf(noted), { leftOut: 'the computer slept' }, END)
    expect(found.map(({ key }) => key)).toEqual(['attic slow'])
  })

  it('keeps its reason in files and beside what a server has, and is taken in again', () => {
    const known = noted.units.get('attic slow')
    const [served] = historyOf(ended('slow', { tpf_secs: 900 })).units.values()
    if (known === undefined || served === undefined) throw new Error('The history is empty.')
    expect(withNotesOf(served, known)).toEqual(known)
    const read = readJson(writeJson({ machines: [...noted.machines.values()], units: [known] }))
    expect(read.ok ? read.excerpt.units.map(({ unit }) => leftOutReason(unit)) : read).toEqual(['the computer slept'])
    expect(withExcerpt(noted, leftOutExcerpt(noted, 'attic slow', undefined))).toEqual(begun)
    expect(leftOutExcerpt(noted, 'attic other', 'x').units).toEqual([])
  })
})
