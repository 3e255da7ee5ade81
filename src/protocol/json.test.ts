import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from './json.ts'
import { isJsonList, isUnsafeKey, parseMessage } from './json.ts'

function nested(depth: number) {
  return '['.repeat(depth) + ']'.repeat(depth)
}

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = isJsonList(value) ? [] : Object.keys(value)
  return [...keys, ...Object.values(value).flatMap(keysIn)]
}

describe('A message', () => {
  it('may be nested 64 deep, and not deeper', () => {
    expect(parseMessage(nested(64)).ok).toBe(true)
    expect(parseMessage(nested(65))).toEqual({ ok: false, fault: { kind: 'too-deep', limit: 64 } })
    expect(parseMessage(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toEqual({
      ok: false,
      fault: { kind: 'too-deep', limit: 64 },
    })
  })

  it('does not count brackets inside strings', () => {
    const text = JSON.stringify({ a: '['.repeat(500), b: '\\"{'.repeat(500), c: '\\' })
    expect(parseMessage(text)).toEqual({ ok: true, value: JSON.parse(text) as Json, faults: [] })
  })

  it('nested 100,000 deep is rejected without a stack overflow', () => {
    expect(parseMessage(nested(100_000))).toEqual({ ok: false, fault: { kind: 'too-deep', limit: 64 } })
    expect(parseMessage('['.repeat(100_000))).toEqual({ ok: false, fault: { kind: 'too-deep', limit: 64 } })
  })

  it('has so many lists and objects at most that reading them takes a second, not a minute', () => {
    const fault = { ok: false, fault: { kind: 'too-many-parts', limit: 1_500_000 } }
    expect(parseMessage(`[${'{},'.repeat(1_500_000)}1]`)).toEqual(fault)
    expect(parseMessage(`[${'[[]],'.repeat(1_000_000)}1]`)).toEqual(fault)
    expect(parseMessage(`[${'[1,2,3],'.repeat(1_000_000)}1]`).ok).toBe(true)
  })

  it('may have 64 MiB in UTF-8, and no more', () => {
    const limit = 64 * 1024 * 1024
    const fault = { ok: false, fault: { kind: 'too-large', limit } }
    expect(parseMessage(`"${'x'.repeat(limit - 2)}"`).ok).toBe(true)
    expect(parseMessage(`"${'x'.repeat(limit - 1)}"`)).toEqual(fault)
    expect(parseMessage(`"${'é'.repeat(limit / 2 - 1)}"`).ok).toBe(true)
    expect(parseMessage(`"${'é'.repeat(limit / 2)}"`)).toEqual(fault)
    expect(parseMessage(`"${'🧬'.repeat(limit / 4 - 1)}"`).ok).toBe(true)
    expect(parseMessage(`"${'🧬'.repeat(limit / 4)}"`)).toEqual(fault)
  })

  it.each(['', ' ', '{', '[1,]', 'True', '"a', '{"a":1}x', '\u0000'])('that is not JSON is refused: %j', text => {
    expect(parseMessage(text)).toEqual({ ok: false, fault: { kind: 'not-json' } })
  })

  it('loses its unsafe keys, each reported once', () => {
    const result = parseMessage(
      '{"a":{"__proto__":{"x":1},"ok":1},"l":[{"constructor":1},{"constructor":2,"prototype":3}]}',
    )
    expect(result).toEqual({
      ok: true,
      value: { a: { ok: 1 }, l: [{}, {}] },
      faults: [
        { kind: 'unsafe-key', key: '__proto__' },
        { kind: 'unsafe-key', key: 'constructor' },
        { kind: 'unsafe-key', key: 'prototype' },
      ].sort((a, b) => (result.ok ? orderOf(result.faults, a.key) - orderOf(result.faults, b.key) : 0)),
    })
  })

  const orderOf = (faults: readonly object[], key: string) =>
    faults.findIndex(fault => 'key' in fault && fault.key === key)

  it('loses unsafe keys that are spelled with escapes', () => {
    expect(parseMessage('{"\\u005f_proto__":{"polluted":true},"c\\u006Fnstructor":1,"fine":2}')).toEqual({
      ok: true,
      value: { fine: 2 },
      faults: [
        { kind: 'unsafe-key', key: '__proto__' },
        { kind: 'unsafe-key', key: 'constructor' },
      ],
    })
  })

  it('keeps those words where they are values', () => {
    expect(parseMessage('["__proto__",{"a":"constructor"}]')).toEqual({
      ok: true,
      value: ['__proto__', { a: 'constructor' }],
      faults: [],
    })
  })

  it('is parsed like JSON, except for unsafe keys', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'prototype', 'info'))
    const { tree } = fc.letrec<{ tree: Json }>(tie => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map(entries => Object.fromEntries(entries)),
      ),
    }))
    fc.assert(
      fc.property(tree, value => {
        const text = JSON.stringify(value)
        const result = parseMessage(text)
        if (!result.ok) throw new Error(result.fault.kind)
        expect(keysIn(result.value).filter(isUnsafeKey)).toEqual([])
        const unsafe = new Set(keysIn(JSON.parse(text) as Json).filter(isUnsafeKey))
        if (unsafe.size === 0) expect(result).toEqual({ ok: true, value: JSON.parse(text) as Json, faults: [] })
        else expect(result.faults.length).toBeGreaterThan(0)
        expect(new Object()).not.toHaveProperty('polluted')
      }),
    )
  })
})
