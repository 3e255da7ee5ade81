import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedPaths,
  resolveConflict,
  mergeEdits,
  missingEdits,
  applyPatch,
  rebaseEdits,
  valueAt,
  applyEdits,
  withValueAt,
} from './edits.ts'
import { isSameValue } from './equal.ts'

const value = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('', 'a', 'b'),
    fc.boolean(),
    fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', ''), tie('any'), { maxKeys: 4 }),
})).object

describe('a patch', () => {
  it('changes nested keys and nothing else', () => {
    const before = { user: 'Ada', look: { dark: true, columns: ['a', 'b'] }, rest: { x: 1 } }
    const after = applyPatch(before, { look: { columns: ['b'] } })
    expect(after).toEqual({ user: 'Ada', look: { dark: true, columns: ['b'] }, rest: { x: 1 } })
    expect(after.rest).toBe(before.rest)
  })

  it('deletes a key, and returns the same object when nothing changes', () => {
    const before: { a?: number; b: number } = { a: 1, b: 2 }
    expect(applyPatch(before, { a: undefined })).toEqual({ b: 2 })
    expect(applyPatch(before, { b: 2 })).toBe(before)
  })
})

describe('a three-way merge', () => {
  it('keeps local edits and remote changes', () => {
    const base = { user: 'Ada', groups: { '': { cpus: 4 }, day: { cpus: 1 } } }
    const mine = { user: 'Grace', groups: { '': { cpus: 8 }, day: { cpus: 1 } } }
    const theirs = { user: 'Ada', groups: { '': { cpus: 4 }, night: { cpus: 2 } } }
    expect(mergeEdits<object>(base, mine, theirs)).toEqual({
      value: { user: 'Grace', groups: { '': { cpus: 8 }, night: { cpus: 2 } } },
      conflicts: [],
    })
  })

  it('lists conflicts, and keeps the local side', () => {
    const base = { user: 'Ada', team: 1, list: [1] }
    expect(mergeEdits(base, { ...base, user: 'Grace', list: [2] }, { ...base, user: 'Joan', list: [3] })).toEqual({
      value: { user: 'Grace', team: 1, list: [2] },
      conflicts: [['user'], ['list']],
    })
  })

  it('keeps a group that was edited here and removed elsewhere, as a conflict', () => {
    const base = { night: { cpus: 1 } }
    expect(mergeEdits<Record<string, { cpus: number }>>(base, { night: { cpus: 2 } }, {})).toEqual({
      value: { night: { cpus: 2 } },
      conflicts: [['night']],
    })
  })

  it('takes the side that changed, without a conflict', () => {
    fc.assert(
      fc.property(value, value, (base, other) => {
        expect(mergeEdits(base, base, other)).toEqual({ value: other, conflicts: [] })
        expect(mergeEdits(base, other, base)).toEqual({ value: other, conflicts: [] })
        expect(mergeEdits(base, other, other)).toEqual({ value: other, conflicts: [] })
      }),
    )
  })

  it('is symmetric', () => {
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

describe('an edited copy of a changing value', () => {
  const value = {
    user: 'Ada',
    team: 1,
    groups: { '': { cpus: 4 }, night: { cpus: 1 } } as Record<string, { cpus: number }>,
  }

  it('keeps a conflict until it is resolved', () => {
    const mine = applyPatch(value, { user: 'Grace' })
    const first = rebaseEdits(value, mine, { ...value, user: 'Joan' })
    const second = rebaseEdits(first.base, first.value, { ...value, user: 'Joan', team: 2 })
    expect(second.value.user).toBe('Grace')
    expect(second.value.team).toBe(2)
    expect(second.conflicts).toEqual([['user']])
    const reported = { ...value, user: 'Joan', team: 2 }
    expect(resolveConflict(second.base, second.value, reported, ['user'], 'mine')).toEqual({
      base: reported,
      value: { ...reported, user: 'Grace' },
      conflicts: [],
    })
    expect(resolveConflict(second.base, second.value, reported, ['user'], 'theirs')).toEqual({
      base: reported,
      value: reported,
      conflicts: [],
    })
  })

  it('drops a conflict when both sides agree', () => {
    const mine = applyPatch(value, { user: 'Grace' })
    const conflicting = rebaseEdits(value, mine, { ...value, user: 'Joan' })
    expect(rebaseEdits(conflicting.base, conflicting.value, value).conflicts).toEqual([])
    expect(rebaseEdits(conflicting.base, conflicting.value, mine).conflicts).toEqual([])
  })

  it('follows the removal of a group, but has a conflict when it was edited', () => {
    const without = { ...value, groups: { '': { cpus: 4 } } }
    expect(rebaseEdits(value, value, without).value).toEqual(without)
    const edited = applyPatch(value, { groups: { night: { cpus: 2 } } })
    const conflicting = rebaseEdits(value, edited, without)
    expect(conflicting.value).toEqual(edited)
    expect(conflicting.conflicts).toEqual([['groups', 'night']])
    expect(resolveConflict(conflicting.base, conflicting.value, without, ['groups', 'night'], 'theirs').value).toEqual(
      without,
    )
    expect(resolveConflict(conflicting.base, conflicting.value, without, ['groups', 'night'], 'mine')).toMatchObject({
      value: edited,
      conflicts: [],
    })
  })

  it('drops fields that no longer exist', () => {
    const mine = applyPatch(value, { user: 'Grace', team: 7 })
    expect(rebaseEdits<Partial<typeof value>>(value, mine, { team: 1 })).toEqual({
      base: { team: 1 },
      value: { team: 7 },
      conflicts: [],
    })
  })

  const groups = fc.dictionary(
    fc.constantFrom('', 'my-gpu', ' ', '<b>', '__proto__', 'toString', 'a.b'),
    fc.record({ cpus: fc.nat(3), beta: fc.boolean() }),
  )
  const form = fc.record({ user: fc.constantFrom('', 'Ada', 'Grace'), groups })

  it('never loses local or remote changes without a resolution', () => {
    fc.assert(
      fc.property(form, form, fc.array(form, { minLength: 1, maxLength: 4 }), (base, mine, reports) => {
        let now = { base, value: mine, conflicts: [] as readonly (readonly string[])[] }
        let before = base
        for (const theirs of reports) {
          const next = rebaseEdits(now.base, now.value, theirs)
          for (const path of changedPaths(now.base, now.value)) {
            // An edit stands, or the place it was made in is asked about.
            const isAsked = next.conflicts.some(conflict => conflict.every((key, at) => key === path[at]))
            expect(isAsked || isSameValue(valueAt(next.value, path), valueAt(now.value, path))).toBe(true)
          }
          for (const path of changedPaths(before, theirs)) {
            const isAsked = next.conflicts.some(conflict => isWithin(conflict, path))
            const isMine = !isSameValue(valueAt(now.base, path), valueAt(now.value, path))
            expect(isAsked || isMine || isSameValue(valueAt(next.value, path), valueAt(theirs, path))).toBe(true)
          }
          now = next
          before = theirs
        }
      }),
    )
  })

  it('has no conflict after all are resolved, and then differs from the reported value only by its edits', () => {
    fc.assert(
      fc.property(
        form,
        form,
        form,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (base, mine, theirs, sides) => {
          const conflicting = rebaseEdits(base, mine, theirs)
          const settled = conflicting.conflicts.reduce(
            (now, path, at) =>
              resolveConflict(now.base, now.value, theirs, path, sides[at % 40] === true ? 'mine' : 'theirs'),
            conflicting,
          )
          expect({ conflicts: settled.conflicts, base: settled.base }).toEqual({ conflicts: [], base: theirs })
          conflicting.conflicts.forEach((path, at) => {
            expect(
              isSameValue(valueAt(settled.value, path), valueAt(sides[at % 40] === true ? mine : theirs, path)),
            ).toBe(true)
          })
        },
      ),
    )
  })

  it('lists its missing edits and nothing else', () => {
    fc.assert(
      fc.property(form, form, form, (before, sent, now) => {
        const missing = missingEdits(before, sent, now)
        expect(missingEdits(before, sent, sent)).toEqual([])
        expect(
          isSameValue(
            missing.reduce((value, path) => withValueAt(value, path, valueAt(sent, path)), now),
            applyEdits(now, before, sent),
          ),
        ).toBe(true)
      }),
    )
  })
})

function isWithin(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((key, at) => inner[at] === undefined || key === inner[at])
}
