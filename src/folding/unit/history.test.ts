import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import { decodeEndedUnits } from '../../protocol/client/ended-units.ts'
import { archivedClient, type ArchivedClient } from './archived-client.ts'
import {
  archivedUnit,
  emptyHistory,
  endOf,
  belongsToOtherAccount,
  latestEnd,
  newInReport,
  withExcerpt,
  withoutClients,
  type History,
} from './history.ts'
import { rowsOf } from './unit-rows.ts'

function ended(id: string, second: number, more: Partial<Unit> = {}): Unit {
  return {
    id,
    number: second,
    state: 'UPLOAD',
    result: 'credited',
    cpus: 4,
    gpus: [],
    end_time: `2026-11-20T13:46:${String(second).padStart(2, '0')}Z`,
    ...more,
  }
}

const attic: ArchivedClient = {
  id: 'attic-id',
  name: 'Attic',
  owner: undefined,
  info: { id: 'attic-id', os: 'linux', os_version: '6.18', gpus: { 'gpu:01:00:00': { description: 'RTX 4090' } } },
}
const cellar: ArchivedClient = { ...attic, id: 'cellar-id', name: 'Cellar', owner: 'ada' }

it('stores the same of a unit that was reduced where it was decoded', () => {
  const row = {
    id: 'a',
    number: 10,
    state: 'UPLOAD',
    result: 'credited',
    error: 'none',
    eta: '1h',
    group: 'g',
    end_time: '2026-11-20T13:46:10Z',
    cpus: 4,
    gpus: ['gpu:01:00:00'],
    ppd: 5,
    wu_progress: 1,
    run_time: 60,
    tpf_secs: 3,
    pid: 9,
    assignment: {
      project: 1,
      ws: 'ws',
      time: '2026-11-20T12:00:00Z',
      credit: 1,
      deadline: 2,
      timeout: 3,
      port: 4,
      core: { type: '0x24', url: 'u' },
    },
    wu: { run: 1, clone: 2, gen: 3, server: 4 },
  }
  const [reduced] = decodeEndedUnits([row], () => undefined)
  expect(reduced).not.toEqual(row)
  expect(archivedUnit(attic, reduced ?? {})).toEqual(archivedUnit(attic, row))
})

function reported(history: History, client: ArchivedClient, units: readonly Unit[]): History {
  return withExcerpt(history, newInReport(history, client, units))
}
function ids(history: History) {
  return rowsOf(history).map(({ unit }) => unit.id)
}

describe('the history of units', () => {
  it('keeps what a client no longer reports, and each unit once', () => {
    const existing = reported(emptyHistory, attic, [ended('a', 10), ended('b', 20)])
    expect(ids(reported(existing, attic, [ended('b', 20), ended('c', 30)]))).toEqual(['c', 'b', 'a'])
  })

  it('is the same object when nothing is new', () => {
    const existing = reported(emptyHistory, attic, [ended('a', 10)])
    expect(reported(existing, attic, [ended('a', 10)])).toBe(existing)
    expect(rowsOf(existing)).toBe(rowsOf(existing))
    expect(reported(emptyHistory, attic, []).units).toBe(emptyHistory.units)
  })

  it('replaces a row that has changed, and only that one', () => {
    const existing = reported(emptyHistory, attic, [ended('a', 10, { result: 'rejected' }), ended('b', 20)])
    const next = reported(existing, attic, [ended('a', 10), ended('b', 20)])
    expect(rowsOf(next).map(({ state }) => state)).toEqual(['Credited', 'Credited'])
    expect(rowsOf(next)[0]).toBe(rowsOf(existing)[0])
  })

  it('keeps what a unit was computed on, though the client is another by now', () => {
    const existing = reported(emptyHistory, attic, [ended('a', 10, { cpus: 1, gpus: ['gpu:01:00:00'] })])
    const rebuilt = {
      ...attic,
      name: 'Loft',
      info: { ...attic.info, gpus: { 'gpu:01:00:00': { description: 'RTX 5090' } } },
    }
    const [row] = rowsOf(reported(existing, rebuilt, [ended('b', 5)]))
    expect(row).toMatchObject({ machine: 'Loft', os: 'Linux', resources: '1 CPU, RTX 4090' })
  })

  it('keeps rows without an id, by number and end', () => {
    const odd: Unit[] = [{ number: 1, result: 'aborted' }, { number: 2, result: 'aborted' }, {}]
    const existing = reported(emptyHistory, attic, odd)
    expect(existing.units.size).toBe(3)
    expect(reported(existing, attic, odd)).toBe(existing)
    expect(endOf({})).toBeUndefined()
    expect(latestEnd(reported(existing, attic, [ended('a', 10), ended('b', 9)]).units.values())).toBe(
      Date.UTC(2026, 10, 20, 13, 46, 10),
    )
    expect(latestEnd([])).toBeUndefined()
  })

  it('keeps nothing that is not shown, and no text longer than an honest one', () => {
    const hostile = ended('a', 10, { cwd: '/home/ada', error: 'x'.repeat(5000) })
    const [archived] = reported(emptyHistory, attic, [hostile]).units.values()
    expect(archived?.unit).not.toHaveProperty('cwd')
    expect(archived?.unit.error).toHaveLength(200)
  })

  it('gives no owner to a client that was ever connected directly', () => {
    const existing = reported(reported(emptyHistory, attic, [ended('a', 10)]), { ...attic, owner: 'ada' }, [
      ended('b', 20),
    ])
    expect(existing.machines.get('attic-id')?.owner).toBeUndefined()
    const both = reported(existing, cellar, [ended('c', 30)])
    expect(belongsToOtherAccount(cellar, 'ada')).toBe(false)
    expect(belongsToOtherAccount(cellar, undefined)).toBe(true)
    expect(belongsToOtherAccount(attic, undefined)).toBe(false)
    const left = withoutClients(both, client => belongsToOtherAccount(client, undefined))
    expect(ids(left)).toEqual(['b', 'a'])
    expect([...left.machines.keys()]).toEqual(['attic-id'])
    expect(withoutClients(left, client => belongsToOtherAccount(client, undefined))).toBe(left)
  })

  it('knows a client by the id of its connection until it has said its own [3.20]', () => {
    expect(archivedClient('__direct__', 'this computer', undefined)).toMatchObject({
      id: '__direct__',
      name: 'this computer',
    })
    expect(archivedClient('__direct__', 'x', { info: { id: 'real' }, config: {}, groups: {}, units: [] }).id).toBe(
      'real',
    )
  })

  it('holds every unit once, in whatever pieces and repetitions it comes, newest first', () => {
    const rows = fc.array(fc.integer({ min: 0, max: 59 }).map(second => ended(`u${second}`, second)))
    fc.assert(
      fc.property(fc.array(rows), pieces => {
        const merged = pieces.reduce((history, units) => reported(history, attic, units), emptyHistory)
        const seconds = new Set(pieces.flat().map(unit => unit.number))
        expect(rowsOf(merged).map(({ unit }) => unit.number)).toEqual([...seconds].sort((a = 0, b = 0) => b - a))
      }),
    )
  })
})
