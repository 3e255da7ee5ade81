import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyShardedMap, shardedGet, shardedSet, shardedDelete, type ShardedMap } from './sharded-map.ts'

const id = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '@host:7396', ''), fc.string())
const step = fc.oneof(fc.record({ put: id, value: fc.integer() }), fc.record({ take: fc.array(id, { maxLength: 3 }) }))

describe('a sharded map', () => {
  it('behaves like a map, and earlier versions do not change', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const truth = new Map<string, number>()
        let map: ShardedMap<number> = emptyShardedMap()
        for (const each of steps) {
          const before = map
          const expected = new Map(truth)
          if ('put' in each) {
            truth.set(each.put, each.value)
            map = shardedSet(map, each.put, each.value)
          } else {
            for (const gone of each.take) truth.delete(gone)
            map = shardedDelete(map, each.take)
          }
          for (const [key, value] of expected) expect(shardedGet(before, key)).toBe(value)
        }
        for (const [key, value] of truth) expect(shardedGet(map, key)).toBe(value)
        expect(map.reduce((count, shard) => count + shard.size, 0)).toBe(truth.size)
      }),
    )
  })
})
