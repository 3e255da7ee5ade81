import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from './changes.ts'
import { applyChanges } from './changes.ts'
import type { Fault } from '../fault.ts'
import type { Json, JsonObject } from '../json.ts'

type Draft = null | boolean | number | string | Draft[] | DraftObject
type DraftObject = { [key: string]: Draft }

function draftOf(value: Json | undefined) {
  return JSON.parse(JSON.stringify(value ?? null)) as Draft
}

const UNSAFE = ['__proto__', 'constructor', 'prototype']

// The rules again, as plainly as possible: copy everything, then change the copy in place.
function applyPlainly(data: JsonObject, change: Change): JsonObject {
  const copy = draftOf(data) as DraftObject
  const path = change.slice(0, -1) as (string | number)[]
  const value = draftOf(change.at(-1))
  const walk = (node: Draft, [key, ...rest]: (string | number)[]): boolean => {
    if (typeof key === 'number') {
      if (!Array.isArray(node)) return false
      const list = node
      if (rest.length === 0 && key === -1 && value !== null) return list.push(value) > 0
      if (rest.length === 0 && key === -2 && Array.isArray(value)) return list.push(...value) > 0
      if (!Number.isInteger(key) || key < 0 || key > list.length) return false
      if (rest.length > 0) return descend(list[key], rest, made => (list[key] = made))
      if (value === null) list.splice(key, 1)
      else list[key] = value
      return true
    }
    if (
      typeof key !== 'string' ||
      typeof node !== 'object' ||
      node === null ||
      Array.isArray(node) ||
      UNSAFE.includes(key)
    )
      return false
    const object = node
    if (rest.length > 0)
      return descend(Object.hasOwn(object, key) ? object[key] : undefined, rest, made => (object[key] = made))
    if (value === null) Reflect.deleteProperty(object, key)
    else object[key] = value
    return true
  }
  const descend = (below: Draft | undefined, rest: (string | number)[], put: (made: Draft) => void): boolean => {
    if (below !== undefined && below !== null) return walk(below, rest)
    const made: Draft = typeof rest[0] === 'number' ? [] : {}
    const isDone = walk(made, rest)
    // A parent is made only for something to stand in it.
    if (isDone && Object.keys(made).length > 0) put(made)
    return isDone
  }
  walk(copy, path)
  return copy
}

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'units', '', 'x y') },
  { weight: 1, arbitrary: fc.constantFrom(...UNSAFE) },
)
const index = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 4, arbitrary: fc.constantFrom(-1, -2) },
  { weight: 1, arbitrary: fc.constantFrom(-3, 1.5, 1e9, -0.5) },
)

const { tree } = fc.letrec<{ tree: Json }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, 1, 'text', ''),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'units', '', 'x y'), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const document = fc.dictionary(fc.constantFrom('a', 'b', 'units', ''), tree, { maxKeys: 4, noNullPrototype: true })
const change = fc
  .tuple(fc.array(fc.oneof(key, index), { minLength: 1, maxLength: 5 }), tree)
  .map(([path, value]): Change => [...path, value])

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}

function nodesOf(value: Json | undefined, into = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return into
  into.add(value)
  for (const item of Object.values(value)) nodesOf(item, into)
  return into
}

describe('Changes', () => {
  it('behave like the simple model', () => {
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 8 }), (data, changes) => {
        const plain = changes.reduce(applyPlainly, data)
        expect(applyChanges(data, changes)).toEqual(plain)
        expect(changes.reduce((before, next) => applyChanges(before, [next]), data)).toEqual(plain)
      }),
      { numRuns: 2000 },
    )
  })

  it('never modify the document or the changes', () => {
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 8 }), (data, changes) => {
        freeze(data)
        freeze(changes)
        applyChanges(data, changes)
      }),
      { numRuns: 500 },
    )
  })

  const freshNodes = (data: JsonObject, changes: readonly Change[]) => {
    const existing = nodesOf(data)
    for (const one of changes) nodesOf(one.at(-1), existing)
    return [...nodesOf(applyChanges(data, changes))].filter(node => !existing.has(node)).length
  }

  it('create only the nodes on their path, each once per batch', () => {
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 6 }), (data, changes) => {
        const keysOnly = changes.filter(one => one.slice(0, -1).every(step => typeof step === 'string'))
        const places = new Set(
          keysOnly.flatMap(one => one.slice(0, -1).map((_, at) => JSON.stringify(one.slice(0, at)))),
        )
        expect(freshNodes(data, keysOnly)).toBeLessThanOrEqual(places.size)
        for (const one of changes) expect(freshNodes(data, [one])).toBeLessThanOrEqual(one.length - 1)
      }),
      { numRuns: 1000 },
    )
  })

  it('of one batch copy each node once', () => {
    const data = { units: [{ eta: '1s', ppd: 1 }, { eta: '2s' }], info: { cpus: 2 } }
    const steps: object[] = []
    const changes: Change[] = [
      ['units', 0, 'eta', '3s'],
      ['units', 0, 'ppd', 5],
      ['units', 1, 'eta', '4s'],
    ]
    const after = applyChanges(data, changes)
    changes.reduce((before, next) => {
      const result = applyChanges(before, [next])
      steps.push(result)
      return result
    }, data)
    expect(after).toEqual({ units: [{ eta: '3s', ppd: 5 }, { eta: '4s' }], info: { cpus: 2 } })
    expect(nodesOf(after).size).toBe(5)
    expect(after.info).toBe(data.info)
    expect(new Set(steps).size).toBe(3)
  })

  it('without an effect give the same document', () => {
    const data = { a: { b: 1, list: [1] } }
    for (const nothing of [
      ['a', 'b', 1],
      ['a', 'c', null],
      ['x', 'y', 'z', null],
      ['a', 'list', 0, 1],
      ['a', 'list', 1, null],
      ['a', 'list', -2, []],
    ] satisfies Change[]) {
      expect(applyChanges(data, [nothing])).toBe(data)
    }
  })

  it.each<[Change, Fault]>([
    [['units', 1e9, {}], { kind: 'bad-index', path: ['units', 1e9] }],
    [['units', -3, {}], { kind: 'bad-index', path: ['units', -3] }],
    [['units', 0.5, {}], { kind: 'bad-index', path: ['units', 0.5] }],
    [['units', 2, {}], { kind: 'bad-index', path: ['units', 2] }],
    [['units', -1, 'eta', 'x'], { kind: 'bad-index', path: ['units', -1] }],
    [['units', -2, 5], { kind: 'wrong-type', path: ['units', -2], expected: 'list', found: 'number' }],
    [['units', 'eta', 5], { kind: 'wrong-type', path: ['units'], expected: 'object', found: 'list' }],
    [['name', 0, 5], { kind: 'wrong-type', path: ['name'], expected: 'list', found: 'string' }],
    [['__proto__', 'polluted', true], { kind: 'unsafe-key', key: '__proto__' }],
    [['units', 0, 'constructor', 'prototype', 'polluted', true], { kind: 'unsafe-key', key: 'constructor' }],
    [[...Array.from({ length: 65 }, () => 'a'), 1], { kind: 'too-deep', limit: 64 }],
  ])('that do not fit are reported and skipped: %j [12.9]', (wrong, fault) => {
    const data = { units: [{ id: 'a' }], name: 'x' }
    const faults: Fault[] = []
    expect(applyChanges(data, [wrong], each => faults.push(each))).toBe(data)
    expect(faults).toEqual([fault])
    expect(new Object()).not.toHaveProperty('polluted')
  })

  it('are those of docs/protocol.md §2, in its order [4.19]', () => {
    const start = { config: { user: 'a' }, groups: { '': {} }, units: [{ id: 'u0', error: 'e' }] }
    const steps: [Change, unknown][] = [
      [['config', 'user', 'x'], { ...start, config: { user: 'x' } }],
      [
        ['groups', 'my-night. "<b>', { config: {} }],
        { ...start, groups: { '': {}, 'my-night. "<b>': { config: {} } } },
      ],
      [['groups', '', null], { ...start, groups: {} }],
      [['units', 1, { id: 'u1' }], { ...start, units: [{ id: 'u0', error: 'e' }, { id: 'u1' }] }],
      [['units', 0, { id: 'u9' }], { ...start, units: [{ id: 'u9' }] }],
      [['units', 0, null], { ...start, units: [] }],
      [['units', 0, 'error', null], { ...start, units: [{ id: 'u0' }] }],
      [['units', -1, { id: 'u1' }], { ...start, units: [{ id: 'u0', error: 'e' }, { id: 'u1' }] }],
      [
        ['units', -2, [{ id: 'u1' }, { id: 'u2' }]],
        { ...start, units: [{ id: 'u0', error: 'e' }, { id: 'u1' }, { id: 'u2' }] },
      ],
      [['groups', 'new', 'config', 'cpus', 2], { ...start, groups: { '': {}, new: { config: { cpus: 2 } } } }],
    ]
    for (const [one, expected] of steps) expect(applyChanges(start, [one])).toEqual(expected)
  })
})
