import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOW, context, credited, archived, row } from '../../../test/unit-rows.ts'
import { filterChoices, filterRows, newestFirst, rowsOf, unitRow } from './unit-rows.ts'

describe('a unit’s row', () => {
  it('is flat', () => {
    expect(unitRow(archived(credited), context)).toEqual({
      key: 'attic _0CFrRVzVNyOpnqEjnwicLShkoJxPPOn7Pjg_7sVntE',
      clientKey: 'attic',
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
      estimated: (98_765 * 4000) / 86_400,
      credited: undefined,
      credit: 'Not known',
      assigned: Date.UTC(2026, 10, 20, 13, 35, 9),
      ended: Date.UTC(2026, 10, 20, 13, 46, 55),
    })
  })

  it('has placeholders when nearly nothing is known', () => {
    const bare = unitRow(
      archived({ id: 'x', number: 1, state: 'CORE', result: 'expired', end_time: '2026-11-20T13:46:40Z' }),
      context,
    )
    expect(bare.project).toBeUndefined()
    expect(bare.core).toBeUndefined()
    expect(bare.resources).toBeUndefined()
    expect(bare.progress).toBeUndefined()
    expect(bare.tpf).toBeUndefined()
    expect(bare.ppd).toBeUndefined()
    expect(bare.assigned).toBeUndefined()
    expect(bare.state).toBe('Expired')
  })
})

describe('rows of a history', () => {
  it('tell clients of one name apart', () => {
    const client = (id: string, name: string) => [id, { id, name, owner: undefined, info: { os: 'linux' } }] as const
    const units = ['abcd1', 'efgh1', 'ijkl1'].map(id => [id, { ...archived(credited), key: id, machine: id }] as const)
    const history = {
      machines: new Map([client('abcd1', 'rig'), client('efgh1', 'rig'), client('ijkl1', 'nas')]),
      units: new Map(units),
    }
    const names = (rows: ReturnType<typeof rowsOf>) => rows.map(({ machine: name }) => name).sort()
    expect(names(rowsOf(history))).toEqual(['nas', 'rig (ID abcd)', 'rig (ID efgh)'])
    const again = rowsOf({ ...history, units: new Map(units) })
    expect(again.every(({ unit }, index) => unit === rowsOf(history)[index]?.unit)).toBe(true)
    expect(new Set([...again, ...rowsOf(history)]).size).toBe(3)
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
      unit: { id: '2', result: 'dumped', end_time: '2026-11-20T13:46:40Z', wu_progress: 0.42 },
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
  const keys = (filter: Parameters<typeof filterRows>[1]) => filterRows(rows, filter, NOW).map(({ key }) => key)

  it('lets everything through at first, as the same list', () => {
    expect(filterRows(rows, {}, NOW)).toBe(rows)
    expect(filterRows(rows, { days: Number.NaN, isComplete: false }, NOW)).toBe(rows)
  })

  it('goes by each field, by days and by completion, and by all of them together [2.28, 5.21, 10.7]', () => {
    expect(keys({ project: '10' })).toEqual(['2'])
    expect(keys({ machine: 'Attic' })).toEqual(['1', '3'])
    expect(keys({ os: 'Linux', core: '0xaa' })).toEqual(['1', '2'])
    expect(keys({ resources: '1 CPU', state: 'Dumped' })).toEqual(['2'])
    expect(keys({ days: 2 })).toEqual(['1'])
    expect(keys({ days: 3 })).toEqual(['1', '2'])
    // A credited unit was done, whatever it reported last.
    expect(keys({ isComplete: true })).toEqual(['1', '3'])
    expect(keys({ project: '9', machine: 'Cellar' })).toEqual([])
  })

  it('offers the distinct values found, sorted as people do [2.28]', () => {
    expect(filterChoices(rows)).toEqual({
      machine: ['Attic', 'Cellar'],
      project: ['9', '10'],
      os: ['Linux'],
      state: ['Credited', 'Dumped'],
      resources: ['1 CPU'],
      core: ['0xaa'],
      credit: ['Not known'],
      leftOut: [],
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
      fc.property(some, parts => {
        const all = parts.map(part => row(part))
        for (const project of filterChoices(all).project) {
          const passing = filterRows(all, { project }, NOW)
          expect(passing.length).toBeGreaterThan(0)
          expect(passing.every(one => String(one.project) === project)).toBe(true)
        }
      }),
    )
  })

  it('comes with the newest assignment first', () => {
    const ended = row({ key: '4', assigned: undefined, ended: NOW })
    expect(
      [rows[2], ended, rows[1], rows[0]]
        .map(one => one ?? row())
        .sort(newestFirst)
        .map(({ key }) => key),
    ).toEqual(['1', '2', '4', '3'])
  })
})
