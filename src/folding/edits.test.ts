import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameValue, mergeEdits, patched } from './edits.ts'

const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 0, max: 3 }), fc.constantFrom('', 'a', 'b'), fc.boolean(), fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', ''), tie('any'), { maxKeys: 4 }),
})).object

describe('two values', () => {
  it.each([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [Number.NaN, Number.NaN, true],
    [null, {}, false],
  ])('are compared by what they say: %o and %o', (a, b, same) => {
    expect([isSameValue(a, b), isSameValue(b, a)]).toEqual([same, same])
  })
})

describe('a patch', () => {
  it('changes what it names, deep down, and nothing else', () => {
    const before = { user: 'Ada', look: { dark: true, columns: ['a', 'b'] }, rest: { x: 1 } }
    const after = patched(before, { look: { columns: ['b'] } })
    expect(after).toEqual({ user: 'Ada', look: { dark: true, columns: ['b'] }, rest: { x: 1 } })
    expect(after.rest).toBe(before.rest)
  })

  it('takes a key away, and gives the same object back when it changes nothing', () => {
    const before: { a?: number; b: number } = { a: 1, b: 2 }
    expect(patched(before, { a: undefined })).toEqual({ b: 2 })
    expect(patched(before, { b: 2 })).toBe(before)
  })
})

describe('a three-way merge', () => {
  it('keeps what was edited here and what came to be elsewhere', () => {
    const base = { user: 'Ada', groups: { '': { cpus: 4 }, day: { cpus: 1 } } }
    const mine = { user: 'Grace', groups: { '': { cpus: 8 }, day: { cpus: 1 } } }
    const theirs = { user: 'Ada', groups: { '': { cpus: 4 }, night: { cpus: 2 } } }
    expect(mergeEdits<object>(base, mine, theirs)).toEqual({
      value: { user: 'Grace', groups: { '': { cpus: 8 }, night: { cpus: 2 } } },
      conflicts: [],
    })
  })

  it('names the places that both sides changed, and keeps what was typed there', () => {
    const base = { user: 'Ada', team: 1, list: [1] }
    expect(mergeEdits(base, { ...base, user: 'Grace', list: [2] }, { ...base, user: 'Joan', list: [3] })).toEqual({
      value: { user: 'Grace', team: 1, list: [2] },
      conflicts: [['user'], ['list']],
    })
  })

  it('keeps a group that was edited here and removed elsewhere, and says so', () => {
    const base = { night: { cpus: 1 } }
    expect(mergeEdits<Record<string, { cpus: number }>>(base, { night: { cpus: 2 } }, {})).toEqual({
      value: { night: { cpus: 2 } },
      conflicts: [['night']],
    })
  })

  it('is what one side says when the other changed nothing, and has no conflict then', () => {
    fc.assert(
      fc.property(value, value, (base, other) => {
        expect(mergeEdits(base, base, other)).toEqual({ value: other, conflicts: [] })
        expect(mergeEdits(base, other, base)).toEqual({ value: other, conflicts: [] })
        expect(mergeEdits(base, other, other)).toEqual({ value: other, conflicts: [] })
      }),
    )
  })

  it('finds the same conflicts from both sides, and agrees with itself where there is none', () => {
    fc.assert(
      fc.property(value, value, value, (base, mine, theirs) => {
        const here = mergeEdits(base, mine, theirs)
        const there = mergeEdits(base, theirs, mine)
        expect(new Set(here.conflicts.map(String))).toEqual(new Set(there.conflicts.map(String)))
        if (here.conflicts.length === 0) expect(isSameValue(here.value, there.value)).toBe(true)
      }),
    )
  })
})
