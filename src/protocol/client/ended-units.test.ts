import { describe, expect, it } from 'vitest'
import type { Fault } from '../fault.ts'
import type { Json } from '../json.ts'
import fc from 'fast-check'
import { decodeClientMessage, decodeInParts } from './client-message.ts'
import { decodeEndedUnits, splitHistory } from './ended-units.ts'

function decoded(...rows: Json[]) {
  const faults: Fault[] = []
  return { units: decodeEndedUnits(rows, fault => faults.push(fault)), faults }
}

const used = {
  id: 'u',
  number: 7,
  group: '',
  state: 'UPLOAD',
  result: 'credited',
  end_time: '2026-11-20T13:46:10Z',
  cpus: 4,
  wu_progress: 1,
  ppd: 1000,
  run_time: 60,
  os_title: 'linux 6.18',
  resources: '4 CPUs',
  tpf_secs: 12,
}
const assignment = { project: 18_400, credit: 10, time: '2026-11-20T12:00:00Z', ws: 'ws.example.org' }

describe('The rows of a history', () => {
  it('are reduced to the fields that are used', () => {
    const row = {
      ...used,
      gpus: ['gpu:01:00:00'],
      pid: 5,
      unknown: { deep: [1] },
      assignment: { ...assignment, port: 80, core: { type: '0x24', url: 'https://example.org' } },
      wu: { run: 1, clone: 2, gen: 3, cs: ['a'] },
    }
    expect(decoded(row)).toEqual({
      units: [
        {
          ...used,
          gpus: ['gpu:01:00:00'],
          assignment: { ...assignment, core: { type: '0x24' } },
          wu: { run: 1, clone: 2, gen: 3 },
        },
      ],
      faults: [],
    })
  })

  it('may be incomplete', () => {
    const rows: Json[] = [{}, { assignment: {} }, { assignment: { core: {} }, wu: {} }]
    expect(decoded(...rows)).toEqual({ units: [{}, { assignment: {} }, { assignment: {}, wu: {} }], faults: [] })
  })

  it('of older clients have hyphens in their keys', () => {
    expect(decoded({ 'wu-progress': 1, 'end-time': 'x', pid: 3 })).toEqual({
      units: [{ wu_progress: 1, end_time: 'x' }],
      faults: [],
    })
  })

  it.each<[Json, string | number]>([
    [{ ...used, number: 'x' }, 'number'],
    [{ ...used, number: 7, state: 5 }, 'state'],
    [{ ...used, gpus: 'none' }, 'gpus'],
    [{ ...used, gpus: [1] }, 'gpus'],
    [{ ...used, assignment: { ...assignment, project: 'x' } }, 'assignment'],
    [{ ...used, assignment: 5 }, 'assignment'],
    [{ ...used, assignment: { core: 5 } }, 'assignment'],
    [{ ...used, assignment: { core: { type: 5 } } }, 'assignment'],
    [{ ...used, wu: { run: 'x' } }, 'wu'],
  ])('%j: the part of a wrong type is reported and left out', (row, part) => {
    const { units, faults } = decoded(row)
    expect({ units: units.length, id: units[0]?.id }).toEqual({ units: 1, id: 'u' })
    expect(faults.map(fault => ('path' in fault ? fault.path.slice(0, 3) : []))).toEqual([['wus', 0, part]])
  })

  it('that are no objects are reported and left out', () => {
    expect(decoded(7, null, ['a'], used)).toMatchObject({ units: [used], faults: [{}, {}, {}] })
  })
})

function unitsIn(facts: Iterable<ReturnType<typeof decodeClientMessage>[number]>) {
  return [...facts].flatMap(fact => (fact.type === 'history.received' ? fact.units : []))
}

const anyRow = fc.record({
  id: fc.string({ unit: 'binary' }),
  end_time: fc.constantFrom('2026-11-20T13:46:41Z', '2026-11-20T13:46:40Z', '', '"}]]'),
  error: fc.constantFrom('', '"', '\\', '\\"', '},{"', ']]', '\\\\"}'),
  unknown: fc.constantFrom<Json>([{ deep: [[{}]] }, '{'], {}, null, -1),
})

describe('A long history', () => {
  const row = (at: number) => ({
    id: `u${at}`,
    end_time: new Date(1e12 - at * 60_000).toISOString(),
    wu: { run: at, cs: [{ at }, '}]'] },
  })
  const rows = Array.from({ length: 250 }, (_, at) => row(at))

  it.each([
    ['first', rows, rows.slice(0, 100), rows.slice(100)],
    ['last', rows.toReversed(), rows.slice(0, 100).toReversed(), rows.slice(100).toReversed()],
  ])('is divided into the newest units and the others when it lists the newest %s', (_, list, newest, others) => {
    const parts = splitHistory(JSON.stringify(['wus', list]))?.map(part => JSON.parse(part) as Json)
    expect(parts).toEqual([
      ['wus', newest],
      ['wus', -2, others],
    ])
    const ids = [...decodeInParts(JSON.stringify(['wus', list]))].map(facts => unitsIn(facts).map(({ id }) => id))
    expect(ids).toEqual([newest.map(({ id }) => id), others.map(({ id }) => id)])
  })

  it('is the same in parts as when it is decoded at once, whatever texts and fields it has', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 40 }),
        (some, copies) => {
          const text = JSON.stringify(['wus', Array.from({ length: copies }, () => some).flat()])
          const parts = [...decodeInParts(text)]
          const ids = (units: ReturnType<typeof unitsIn>) => units.map(({ id }) => id).sort()
          expect(ids(unitsIn(parts.flat()))).toEqual(ids(unitsIn(decodeClientMessage(text))))
        },
      ),
    )
  })

  it('is not divided when it is short, or is no list of objects', () => {
    const pieces = [rows.slice(0, 199), [7, ...rows], [[], ...rows], [...rows, 7], [...rows, []], [...rows, 'x'], []]
    for (const piece of pieces) expect(splitHistory(JSON.stringify(['wus', piece]))).toBeUndefined()
    for (const text of [
      '["wus",[',
      '["wus",[]]',
      '["log",["a"]]',
      '["wus",[{"id":"a]]',
      `["wus",[${'}'.repeat(900)}]]`,
    ])
      expect(splitHistory(text)).toBeUndefined()
  })

  it('that is broken is a fault in parts too', () => {
    const text = JSON.stringify(['wus', rows])
    fc.assert(
      fc.property(
        fc.integer({ min: 9, max: text.length - 3 }),
        fc.constantFrom('', '"', '}', '],[', '\\'),
        (at, piece) => {
          const broken = text.slice(0, at) + piece + text.slice(at + 1)
          const isFaulty = (facts: Iterable<{ readonly type: string }>) =>
            [...facts].some(({ type }) => type === 'fault.found')
          if (isFaulty(decodeClientMessage(broken))) expect(isFaulty([...decodeInParts(broken)].flat())).toBe(true)
        },
      ),
    )
  })
})
