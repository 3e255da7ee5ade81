import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyShardedMap, shardedGet, shardedSet, shardedDelete, type ShardedMap } from './sharded-map.ts'

const id = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '@host:7396', ''), fc.string())
const step = fc.oneof(fc.record({ put: id, value: fc.integer() }), fc.record({ take: fc.array(id, { maxLength: 3 }) }))

describe('shelves', () => {
  it('behaves like a map, and earlier versions do not change', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const truth = new Map<string, number>()
        let shelves: ShardedMap<number> = emptyShardedMap()
        for (const each of steps) {
          const before = shelves
          const known = new Map(truth)
          if ('put' in each) {
            truth.set(each.put, each.value)
            shelves = shardedSet(shelves, each.put, each.value)
          } else {
            for (const gone of each.take) truth.delete(gone)
            shelves = shardedDelete(shelves, each.take)
          }
          for (const [key, value] of known) expect(shardedGet(before, key)).toBe(value)
        }
        for (const [key, value] of truth) expect(shardedGet(shelves, key)).toBe(value)
        expect(shelves.reduce((count, shelf) => count + shelf.size, 0)).toBe(truth.size)
      }),
    )
  })
})
