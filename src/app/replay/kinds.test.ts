import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../journal/codec.ts'
import { shardedGet, shardedMapOf, type ShardedMap } from '../../folding/shared/sharded-map.ts'
import { packLines, unpackLines, type PackedLines } from '../../protocol/client/packed-lines.ts'
import { kinds } from './kinds.ts'

function again(value: unknown, rename: (text: string) => string = text => text): unknown {
  return decode(JSON.parse(JSON.stringify(encode(value, kinds, { text: rename, number: value => value }))), kinds)
}

describe('A recording', () => {
  it('holds the lines of a log, with renamed names', () => {
    const { lines } = again({ lines: packLines(['12:00:00:I1:Ada', 'é']) }, text =>
      text.replace('Ada', 'Person 1'),
    ) as { lines: PackedLines }
    expect(unpackLines(lines)).toEqual(['12:00:00:I1:Person 1', 'é'])
  })

  it('holds numbers of lines', () => {
    expect(again(Uint32Array.of(1, 100_000))).toEqual(Uint32Array.of(1, 100_000))
  })

  it('holds entries by id, which are found by their new id after renaming', () => {
    const restored = again(
      shardedMapOf([
        ['atlas', 1],
        ['heron', 2],
      ]),
      text => (text === 'atlas' ? 'machine-1' : text),
    ) as ShardedMap<number>
    expect(shardedGet(restored, 'machine-1')).toBe(1)
    expect(shardedGet(restored, 'heron')).toBe(2)
    expect(shardedGet(restored, 'atlas')).toBeUndefined()
  })

  it('that is damaged is refused', () => {
    for (const json of [
      ['k', 'lines', 5],
      ['k', 'lines', ['a', 5]],
      ['k', 'numbers', ['a', 'x']],
      ['k', 'log', {}],
      ['k', 'sharded-map', ['a', ['a', 5]]],
    ])
      expect(() => decode(json, kinds), JSON.stringify(json)).toThrow('damaged')
  })
})
