import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Unit } from '../protocol/client-data.ts'
import { emptyHistory, endOf, mergeHistory } from './history.ts'

const ended = (id: string, second: number, more: Partial<Unit> = {}): Unit => ({
  id,
  number: second,
  state: 'UPLOAD',
  result: 'credited',
  end_time: `2026-11-20T13:46:${String(second).padStart(2, '0')}Z`,
  ...more,
})

describe('the history of units', () => {
  it('puts the newest end first, however the rows came', () => {
    const first = mergeHistory(emptyHistory, [ended('c', 30), ended('a', 10)])
    const second = mergeHistory(first, [ended('d', 40), ended('b', 20)])
    expect(second.map((unit) => unit.id)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('keeps what a client no longer reports', () => {
    const known = mergeHistory(emptyHistory, [ended('a', 10), ended('b', 20)])
    expect(mergeHistory(known, [ended('c', 30)]).map((unit) => unit.id)).toEqual(['c', 'b', 'a'])
  })

  it('is the same list when nothing is new', () => {
    const known = mergeHistory(emptyHistory, [ended('a', 10), ended('b', 20)])
    expect(mergeHistory(known, [ended('b', 20), ended('a', 10)])).toBe(known)
    expect(mergeHistory(emptyHistory, [])).toBe(emptyHistory)
  })

  it('replaces a row that has changed', () => {
    const known = mergeHistory(emptyHistory, [ended('a', 10, { result: 'rejected' })])
    expect(mergeHistory(known, [ended('a', 10)])).toEqual([ended('a', 10)])
  })

  it('keeps rows without an id and without an end', () => {
    const odd: Unit[] = [{ number: 1, result: 'aborted' }, { number: 2, result: 'aborted' }, {}]
    const known = mergeHistory(emptyHistory, [...odd, ended('a', 10)])
    expect(known).toEqual([ended('a', 10), ...odd])
    expect(mergeHistory(known, odd)).toBe(known)
    expect(endOf({})).toBeUndefined()
    expect(endOf(ended('a', 10))).toBe(Date.UTC(2026, 10, 20, 13, 46, 10))
  })

  it('holds every id once, in whatever pieces and repetitions it comes', () => {
    const rows = fc.array(fc.integer({ min: 0, max: 59 }).map((second) => ended(`u${second}`, second)))
    fc.assert(
      fc.property(fc.array(rows), (pieces) => {
        const merged = pieces.reduce(mergeHistory, emptyHistory)
        const seconds = new Set(pieces.flat().map((unit) => unit.number))
        expect(merged.map((unit) => unit.number)).toEqual([...seconds].sort((a = 0, b = 0) => b - a))
      }),
    )
  })
})
