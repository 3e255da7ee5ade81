import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advancePlace, frameAt, placeAmong, stepPlace } from './playback.ts'

const frames = (...first: readonly number[]): readonly Float32Array[] => first.map((x) => Float32Array.of(x))

describe('a step', () => {
  it('goes on at the other end', () => {
    expect([stepPlace(0, -1, 3), stepPlace(2, 1, 3), stepPlace(1, 1, 3)]).toEqual([2, 0, 2])
  })

  it('leaves a place between two frames for the nearer one in its direction', () => {
    expect([stepPlace(1.5, 1, 4), stepPlace(1.5, -1, 4), stepPlace(3.5, -1, 4)]).toEqual([2, 1, 3])
  })

  it('does nothing with fewer than two frames', () => {
    expect([stepPlace(0, 1, 0), stepPlace(0, -1, 1), advancePlace(0, 5, 1)]).toEqual([0, 0, 0])
  })

  it('never leaves the frames that there are, and a step back undoes a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), fc.nat(999), fc.double({ min: 0, max: 5000, noNaN: true }), (count, start, by) => {
        const place = start % count
        const further = advancePlace(place, by, count)
        expect(frameAt(further)).toBeGreaterThanOrEqual(0)
        expect(frameAt(further)).toBeLessThan(count)
        expect(stepPlace(stepPlace(place, 1, count), -1, count)).toBe(place)
      }),
    )
  })
})

describe('when frames come', () => {
  const [a, b, c] = frames(1, 2, 3) as [Float32Array, Float32Array, Float32Array]

  it('the same frame stays, also when an earlier one comes late', () => {
    expect([placeAmong(1.25, [a, b], [a, b, c]), placeAmong(1.25, [a, c], [a, b, c])]).toEqual([1.25, 2.25])
  })

  it('the nearest takes the place of one that is gone', () => {
    expect([placeAmong(2, [a, b, c], [a]), placeAmong(1, [a, b], []), placeAmong(0, [], [a, b])]).toEqual([0, 0, 0])
  })
})
