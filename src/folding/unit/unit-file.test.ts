import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import { idOfKey } from '../client/client-key.ts'
import { formatIso } from '../text/times.ts'
import { archivedClient, type ArchivedClient } from './archived-client.ts'
import { emptyHistory, newInReport, withExcerpt, type Excerpt } from './history.ts'
import { CSV_COLUMNS, readCsv, writeCsv } from './unit-csv.ts'
import { readJson, writeJson, type FileReading } from './unit-file.ts'

const awkward = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '=1+1',
    "'=1+1",
    '+49',
    '-',
    '@x',
    'a,"b"\n;c',
    '',
    ' ',
    '\tx',
    'Größe 漢字 🧬',
    '__proto__',
    'NaN',
    '1e9',
  ),
)

const whole = fc.nat(2 ** 31)
const units: fc.Arbitrary<Unit> = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 43 }),
    number: whole,
    state: fc.constantFrom('UPLOAD', 'CORE', 'DUMP'),
    result: fc.constantFrom('credited', 'dumped', 'failed', 'something new'),
    end_time: fc.integer({ min: 0, max: 4e9 }).map(second => formatIso(second * 1000)),
    group: awkward,
    cpus: whole,
    gpus: fc.array(fc.constantFrom('gpu:01:00:00', 'gpu:02:00:00'), { maxLength: 2 }),
    wu_progress: fc.double({ min: 0, max: 1, noNaN: true }),
    ppd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    run_time: whole,
    error: awkward,
    left_out: awkward,
    assignment: fc.record(
      { project: whole, core: fc.record({ type: awkward }), credit: whole, ws: awkward },
      { requiredKeys: [] },
    ),
    wu: fc.record({ run: whole, clone: whole, gen: whole }, { requiredKeys: [] }),
  },
  { requiredKeys: ['id', 'result', 'end_time'] },
)

function client(id: string, name: string): ArchivedClient {
  return {
    ...archivedClient(id, name, {
      info: { id: idOfKey(id), os: 'linux', os_version: '6.18' },
      config: {},
      groups: {},
      units: [],
    }),
    id,
    owner: undefined,
  }
}

const excerpts: fc.Arbitrary<Excerpt> = fc
  .tuple(fc.array(units, { maxLength: 8 }), fc.array(units, { maxLength: 8 }), awkward)
  .map(([some, others, name]) => {
    const first = newInReport(emptyHistory, client('attic', `Attic ${name}`), some)
    const history = withExcerpt(emptyHistory, first)
    const both = withExcerpt(
      history,
      newInReport(history, client('attic~c1a2b3c4d', name === '' ? 'Cellar' : name), others),
    )
    const used = new Set([...both.units.values()].map(unit => unit.machine))
    return { units: [...both.units.values()], machines: [...both.machines.values()].filter(({ id }) => used.has(id)) }
  })

function excerptOf(reading: FileReading): Excerpt {
  if (!reading.ok) throw new Error(reading.reason)
  expect(reading.unusable).toBe(0)
  return reading.excerpt
}

// A negative zero is no other number than zero, but JSON and CSV have no word for it.
function plain({ units: list, machines: clients }: Excerpt): unknown {
  return JSON.parse(
    JSON.stringify({ units: list, machines: clients.map(({ id, name, info }) => ({ id, name, own: info.id })) }),
  )
}

describe('a history as a file', () => {
  it('is read back whole from JSON', () => {
    fc.assert(
      fc.property(excerpts, excerpt => {
        expect(plain(excerptOf(readJson(writeJson(excerpt))))).toEqual(plain(excerpt))
      }),
    )
  })

  it('is read back whole from CSV', () => {
    fc.assert(
      fc.property(excerpts, excerpt => {
        expect(sorted(excerptOf(readCsv(writeCsv(excerpt, true))))).toEqual(sorted(excerpt))
      }),
    )
  })

  it('is CSV that any reader takes: one line a unit, every line as long as the titles', () => {
    fc.assert(
      fc.property(excerpts, excerpt => {
        const { data, errors } = Papa.parse<string[]>(writeCsv(excerpt, true))
        expect(errors.filter(({ code }) => code !== 'UndetectableDelimiter')).toEqual([])
        expect(data).toHaveLength(excerpt.units.length + 1)
        expect(new Set(data.map(line => line.length))).toEqual(new Set([CSV_COLUMNS.length]))
        for (const cell of data.flat()) expect(cell).not.toMatch(/^[=+@\t\r-]/)
      }),
    )
  })

  it('names clients by their ids in CSV only where that was asked for, and reports it when it is to be imported', () => {
    const unit: Unit = { id: 'a', result: 'credited', end_time: '2026-11-20T13:46:55Z' }
    const excerpt = newInReport(emptyHistory, client('8NHZu4rlhNjNg76ZorJUhe0KbsBu5Mp3', 'Attic'), [unit])
    const shared = writeCsv(excerpt, false)
    expect(shared).toContain('Attic')
    expect(shared).not.toMatch(/Machine ID|8NHZ/)
    expect(writeCsv(excerpt, true)).toContain('8NHZu4rlhNjNg76ZorJUhe0KbsBu5Mp3')
    expect(readCsv(shared)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('without machine IDs') as string,
    })
  })

  it('states in JSON that it holds ids of clients', () => {
    expect(JSON.parse(writeJson({ machines: [], units: [] }))).toMatchObject({
      notice: expect.stringContaining('contains machine IDs') as string,
    })
  })

  it('writes numbers and instants so that spreadsheets can count with them', () => {
    const unit: Unit = {
      id: 'a',
      number: 7,
      state: 'UPLOAD',
      result: 'credited',
      end_time: '2026-11-20T13:46:55Z',
      run_time: 4000,
      wu_progress: 1,
      ppd: 98_765,
      cpus: 1,
      gpus: [],
      assignment: { project: 18_422, core: { type: '0xaa' }, time: '2026-11-20T13:35:09Z', credit: 14_500 },
      wu: { run: 1, clone: 2, gen: 3 },
    }
    const [titles = [], line = []] = Papa.parse<string[]>(
      writeCsv({ ...newInReport(emptyHistory, client('attic', 'Attic'), [unit]) }, true),
    ).data
    const cells = Object.fromEntries(titles.map((title, at) => [title, line[at]]))
    expect(cells).toMatchObject({
      Machine: 'Attic',
      Project: '18422',
      Run: '1',
      Clone: '2',
      Gen: '3',
      Core: '0xaa',
      OS: 'linux',
      Resources: '1 CPU',
      GPUs: 'None',
      Status: 'Credited',
      Progress: '1',
      TPF: '40',
      PPD: '98765',
      'Run Time': '4000',
      'Assign Time': '2026-11-20T13:35:09Z',
      'End Time': '2026-11-20T13:46:55Z',
      'Unit ID': 'a',
    })
  })
})

describe('a file of another origin', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{"format": "foldboard work units", '],
    ['another JSON', '[1, 2, 3]'],
    ['a JSON object of another kind', '{"units": []}'],
    ['units that are no list', '{"format": "foldboard work units", "units": {"length": 3}}'],
    ['JSON nested without end', '['.repeat(100_000)],
  ])('is refused with a reason: %s', (_, content) => {
    expect(readJson(content)).toEqual({ ok: false, reason: expect.any(String) as string })
  })

  it.each([
    ['nothing', ''],
    ['a list of friends', 'Name,Phone\nAda,1'],
    ['noise', '\u0000\u0001"\n"'],
  ])('is refused as CSV: %s', (_, content) => {
    expect(readCsv(content)).toEqual({ ok: false, reason: expect.any(String) as string })
  })

  it('gives what can be used of it, and reports how much could not', () => {
    const good = {
      machine: 'attic',
      id: 'a',
      result: 'credited',
      end_time: '2026-11-20T13:46:55Z',
      ppd: 'many',
      gpus: 7,
      assignment: 'none',
    }
    const rows = [
      good,
      5,
      null,
      [],
      {},
      { ...good, id: 'b', result: undefined },
      { ...good, id: 'c', end_time: undefined },
      { ...good, id: undefined },
    ]
    const reading = readJson(
      JSON.stringify({
        format: 'foldboard work units',
        machines: [{ id: 'attic', name: 'Attic', info: 3 }, 7],
        units: rows,
      }),
    )
    expect(reading).toMatchObject({
      ok: true,
      unusable: 7,
      excerpt: { machines: [{ id: 'attic', name: 'Attic', owner: undefined }], units: [{ key: 'attic a' }] },
    })
    expect(excerptUnits(reading)).toEqual([{ id: 'a', result: 'credited', end_time: '2026-11-20T13:46:55Z' }])
  })

  it('changes no prototype, whatever keys it has', () => {
    const content =
      '{"format":"foldboard work units","machines":[{"id":"__proto__","name":"x","info":{"__proto__":{"os":"evil"}}}],' +
      '"units":[{"machine":"__proto__","id":"__proto__","__proto__":{"polluted":true},"result":"credited","end_time":"2026-11-20T13:46:55Z","assignment":{"__proto__":{"project":1}}}]}'
    const reading = readJson(content)
    expect(excerptUnits(reading)).toEqual([{ id: '__proto__', result: 'credited', end_time: '2026-11-20T13:46:55Z' }])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('names a client that has no sensible id in one way', () => {
    const row = (id: unknown) => ({ machine: id, id: 'a', result: 'credited', end_time: '2026-11-20T13:46:55Z' })
    const reading = readJson(
      JSON.stringify({
        format: 'foldboard work units',
        machines: [{ id: '../../etc', name: 'Attic' }],
        units: [row('../../etc')],
      }),
    )
    expect(reading).toMatchObject({ excerpt: { machines: [{ id: 'file', name: 'Attic' }] } })
  })
})

function excerptUnits(reading: FileReading): readonly Unit[] {
  return reading.ok ? reading.excerpt.units.map(({ unit }) => unit) : []
}

function sorted(excerpt: Excerpt): unknown {
  return plain({ ...excerpt, machines: [...excerpt.machines].sort((a, b) => (a.id < b.id ? -1 : 1)) })
}
