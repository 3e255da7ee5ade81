import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameFrameIndex, interpolatedFrame, stepFrame } from './playback.ts'

const frames = (...first: readonly number[]): readonly Float32Array[] => first.map(x => Float32Array.of(x))

describe('a step', () => {
  it('goes on at the other end', () => {
    expect([stepFrame(0, -1, 3), stepFrame(2, 1, 3), stepFrame(1, 1, 3)]).toEqual([2, 0, 2])
  })

  it('does nothing with fewer than two frames', () => {
    expect([stepFrame(0, 1, 0), stepFrame(0, -1, 1)]).toEqual([0, 0])
  })

  it('never leaves the frames that there are, and a step back undoes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), fc.nat(999), (count, start) => {
        const frame = start % count
        const next = stepFrame(frame, 1, count)
        expect([next >= 0, next < count, stepFrame(next, -1, count)]).toEqual([true, true, frame])
      }),
    )
  })
})

describe('on the way to the next frame', () => {
  it('the place goes evenly, and waits for a frame that is late', () => {
    expect([0, 100, 300, 400, 900].map(elapsed => interpolatedFrame(2, elapsed, 400, 5))).toEqual([2, 2.25, 2.75, 3, 3])
  })

  it('there is none after the last', () => {
    expect([interpolatedFrame(4, 300, 400, 5), interpolatedFrame(0, 300, 400, 0)]).toEqual([4, 0])
  })
})

describe('when frames come', () => {
  const [a, b, c] = frames(1, 2, 3) as [Float32Array, Float32Array, Float32Array]

  it('the same frame stays, also when an earlier one comes late', () => {
    expect([sameFrameIndex(1, [a, b], [a, b, c]), sameFrameIndex(1, [a, c], [a, b, c])]).toEqual([1, 2])
  })

  it('the nearest takes the place of one that is gone', () => {
    expect([sameFrameIndex(2, [a, b, c], [a]), sameFrameIndex(1, [a, b], []), sameFrameIndex(0, [], [a, b])]).toEqual([
      0, 0, 0,
    ])
  })
})
