import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import {
  chosenColumns,
  columnOf,
  columnsFor,
  columnsOf,
  DEFAULT_COLUMNS,
  HISTORY_COLUMNS,
  unchosenColumns,
} from './column-sets.ts'
import type { SortValue, UnitContext } from './unit-column.ts'
import { compareValues, UNIT_COLUMNS } from './unit-columns.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const GPU = 'gpu:01:00:00'

const data: ClientData = {
  info: {
    version: '8.5.7',
    os: 'linux',
    os_version: '6.18',
    gpus: { [GPU]: { description: 'NVIDIA GeForce RTX 4090' } },
  },
  config: {},
  groups: { '': { config: {} }, 'my-gpu': { config: {} } },
  units: [],
}

const context: UnitContext = { machine: 'Attic', data, now: NOW, locale: 'en-GB', timeZone: 'UTC' }

const unit: Unit = {
  id: 'x',
  number: 22,
  group: 'my-gpu',
  state: 'RUN',
  cpus: 1,
  gpus: [GPU],
  wu_progress: 0.42,
  eta: '1h 36m',
  ppd: 1_234_567,
  run_time: 3000,
  start_time: '2026-11-20T13:40:00Z',
  assignment: {
    project: 18_422,
    core: { type: '0xaa' },
    ws: 'ws1.example.org',
    credit: 14_500,
    time: '2026-11-20T12:00:00Z',
    timeout: 129_600,
    deadline: 259_200,
  },
  wu: { run: 3, clone: 7, gen: 41 },
}

describe('every column', () => {
  test.each<[string, string, SortValue]>([
    ['Project', '18422', 18_422],
    ['Type', 'GPU', 'GPU'],
    ['CPUs', '1', 1],
    ['GPUs', '1', 1],
    ['GPUs Text', 'NVIDIA GeForce RTX 4090', 'NVIDIA GeForce RTX 4090'],
    ['Status', 'Running', 'Running'],
    ['Status Text', 'Running', 'Running'],
    ['Progress', '42.0%', 0.42],
    ['PPD', '1,234,567', 1_234_567],
    ['ETA', '1h 36m', 5760],
    ['TPF', '1m 40s', 100],
    ['OS', 'Linux', 'Linux'],
    ['OS Text', 'Linux 6.18', 'Linux 6.18'],
    ['Core', '0xaa', '0xaa'],
    ['Deadline', 'in 3 d', NOW + 252_000_000],
    ['Timeout', 'in 34 h', NOW + 122_400_000],
    ['RCG', '3, 7, 41', '3, 7, 41'],
    ['Run Time', '1h 10m', 4200],
    ['Base Credit', '14,500', 14_500],
    ['Assign Time', '20 Nov 2026, 12:00', NOW - 7_200_000],
    ['Number', '22', 22],
    ['Machine', 'Attic', 'Attic'],
    ['Work Server', 'ws1.example.org', 'ws1.example.org'],
    ['Version', '8.5.7', '8.5.7'],
    ['Resources', '1 CPU, NVIDIA GeForce RTX 4090', '1 CPU, NVIDIA GeForce RTX 4090'],
    ['Group Name', 'my-gpu', 'my-gpu'],
  ])('%s shows %s [3.17, 3.18]', (title, shown, value) => {
    const column = columnOf(title)
    expect(column.title).toBe(title)
    expect(column.text(unit, context)).toBe(shown)
    expect(column.value(unit, context)).toBe(value)
  })

  it('is one of the product’s 25 and Type [10.2]', () => {
    expect(UNIT_COLUMNS).toHaveLength(26)
    expect(new Set(UNIT_COLUMNS.map(({ id }) => id)).size).toBe(26)
  })

  it('shows ??? for a unit that reports nothing [2.58]', () => {
    const nothing: UnitContext = { machine: '', data: undefined, now: NOW }
    const shown = UNIT_COLUMNS.map(column => [column.title, column.text({}, nothing)])
    expect(Object.fromEntries(shown)).toEqual({
      ...Object.fromEntries(UNIT_COLUMNS.map(({ title }) => [title, '???'])),
      'Group Name': 'Default',
    })
  })

  it('always has a text, and a value that can be sorted, whatever the unit holds', () => {
    const fields = [
      'state',
      'result',
      'group',
      'cpus',
      'gpus',
      'eta',
      'ppd',
      'run_time',
      'wu_progress',
      'progress',
      'assignment',
      'wu',
      'wait',
      'delay',
      'error',
      'pause_reason',
      'end_time',
      'number',
      'start_time',
    ]
    const anything = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue())
    fc.assert(
      fc.property(anything, anything, (some, about) => {
        for (const column of UNIT_COLUMNS) {
          // The protocol lets no such unit through; the columns hold even so.
          const shown = column.text(some, { ...context, data: { ...data, info: about } })
          const value = column.value(some, context)
          expect(shown).not.toMatch(/NaN|undefined|\[object|Infinity/)
          expect(shown).not.toBe('')
          expect(value === undefined || typeof value === 'string' || Number.isFinite(value)).toBe(true)
          expect(column.detail?.(some, context) ?? 'text').toMatch(/./)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('shows ??? for a GPU without an id (found by seed 1285222073)', () => {
    expect(columnOf('GPUs Text').text({ gpus: [''] }, context)).toBe('???')
    expect(columnOf('Resources').text({ gpus: [''] }, context)).toBe('???')
  })

  it('has details on hover', () => {
    const detail = (title: string, some: Unit) => columnOf(title).detail?.(some, context)
    expect(detail('Assign Time', unit)).toBe('20 Nov 2026, 12:00:00 (2026-11-20 12:00:00 UTC)')
    expect(detail('Deadline', unit)).toBe('23 Nov 2026, 12:00:00 (2026-11-23 12:00:00 UTC)')
    expect(detail('Deadline', {})).toBeUndefined()
    expect(detail('ETA', { ...unit, eta: '9d 0h' })).toBe(
      'At this speed the work unit will miss its deadline and earn no points.',
    )
    expect(detail('ETA', unit)).toBeUndefined()
    expect(detail('Status', { ...unit, pause_reason: 'Paused' })).toBe('Paused. Press Fold to resume.')
    expect(detail('Status', unit)).toBe('Computing the work.')
  })

  it('reports when points and time left are of an earlier moment', () => {
    const stale = (some: Unit) => ['PPD', 'ETA', 'TPF'].map(title => columnOf(title).isStale?.(some, context))
    expect(stale(unit)).toEqual([false, false, undefined])
    expect(stale({ ...unit, pause_reason: 'Paused' })).toEqual([true, true, undefined])
  })

  it('shows an ETA of a newer client as it is', () => {
    expect(columnOf('ETA').text({ eta: 'about tea time' }, context)).toBe('about tea time')
  })
})

describe('the set of columns', () => {
  const titles = (width: number, chosen?: unknown) => columnsFor(width, chosen).map(({ title }) => title)

  it('depends on the room [2.10, 10.2, 10.3]', () => {
    expect(titles(360, ['TPF'])).toEqual(['Project', 'Status', 'Progress'])
    expect(titles(520, ['TPF'])).toEqual(['Project', 'Status', 'Progress'])
    expect(titles(521, ['TPF'])).toEqual(['Project', 'Type', 'Status', 'Progress', 'PPD'])
    expect(titles(800, ['TPF'])).toEqual(['Project', 'Type', 'Status', 'Progress', 'PPD'])
    expect(titles(801, ['TPF', 'Machine'])).toEqual(['TPF', 'Machine'])
  })

  it('is the default when the account names none [3.18]', () => {
    for (const chosen of [undefined, null, [], {}, 'PPD', [1, null]])
      expect(titles(1200, chosen)).toEqual(DEFAULT_COLUMNS)
  })

  it('keeps unknown names, and drops repetitions', () => {
    const chosen = ['PPD', 'Mood Ring', 'PPD', 5, '']
    expect(chosenColumns(chosen)).toEqual(['PPD', 'Mood Ring'])
    const [, unknown] = columnsFor(1200, chosen)
    expect(unknown?.title).toBe('Mood Ring')
    expect(unknown?.text({}, context)).toBe('???')
    expect(unknown?.text({ mood_ring: 'green' }, context)).toBe('green')
    expect(unknown?.value({ mood_ring: 7 }, context)).toBe(7)
    expect(columnOf('Mood Ring')).toBe(columnOf('Mood Ring'))
    expect(columnOf('constructor').text({}, context)).toBe('???')
  })

  it('reads a name in any spelling', () => {
    expect(['Base Credit', 'base_credit', 'base-credit', 'BASECREDIT'].map(name => columnOf(name).id)).toEqual(
      Array.from({ length: 4 }, () => 'base-credit'),
    )
  })

  it('knows what is not chosen', () => {
    expect(unchosenColumns(UNIT_COLUMNS.map(({ name }) => name))).toEqual([])
    expect(unchosenColumns(['ppd', 'Mood Ring'])).toHaveLength(25)
    expect(columnsOf(HISTORY_COLUMNS).every(({ id }) => !id.startsWith('unknown'))).toBe(true)
  })
})

describe('sorting', () => {
  it('puts what is unknown last in both directions', () => {
    const sort = (direction: 'ascending' | 'descending') =>
      [3, undefined, 1, 2].sort((a, b) => compareValues(a, b, direction))
    // Array.sort puts undefined last by itself, so pairs are compared too.
    expect(sort('ascending')).toEqual([1, 2, 3, undefined])
    expect(sort('descending')).toEqual([3, 2, 1, undefined])
    expect(compareValues(undefined, 1)).toBe(1)
    expect(compareValues(1, undefined, 'descending')).toBe(-1)
    expect(compareValues(undefined, undefined)).toBe(0)
  })

  it('compares texts as people do, numbers inside them included', () => {
    expect(['3, 10, 1', '3, 9, 1', '20, 0, 0'].sort((a, b) => compareValues(a, b))).toEqual([
      '3, 9, 1',
      '3, 10, 1',
      '20, 0, 0',
    ])
  })
})
