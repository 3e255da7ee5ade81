import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance, sameFrameIndex, interpolatedFrame, stepFrame, type Playhead } from './playback.ts'

function frames(...first: readonly number[]): readonly Float32Array[] {
  return first.map(x => Float32Array.of(x))
}

describe('a step', () => {
  it('goes on at the other end', () => {
    expect(stepFrame(0, -1, 3)).toBe(2)
    expect(stepFrame(2, 1, 3)).toBe(0)
    expect(stepFrame(1, 1, 3)).toBe(2)
  })

  it('does nothing with fewer than two frames', () => {
    expect(stepFrame(0, 1, 0)).toBe(0)
    expect(stepFrame(0, -1, 1)).toBe(0)
  })

  it('never leaves the frames that there are, and a step back undoes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), fc.nat(999), (count, start) => {
        const frame = start % count
        const next = stepFrame(frame, 1, count)
        expect(next >= 0).toBe(true)
        expect(next < count).toBe(true)
        expect(stepFrame(next, -1, count)).toEqual(frame)
      }),
    )
  })
})

describe('playback', () => {
  const played = (count: number, swings: boolean): readonly number[] => {
    let head: Playhead = { frame: 0, direction: 1 }
    return Array.from({ length: 6 }, () => (head = advance(head, count, swings)).frame)
  }

  it('begins again after the last frame, or goes back', () => {
    expect(played(3, false)).toEqual([1, 2, 0, 1, 2, 0])
    expect(played(3, true)).toEqual([1, 2, 1, 0, 1, 2])
  })

  it('stays at the only frame', () => {
    expect(played(1, false)).toEqual(Array(6).fill(0))
    expect(played(1, true)).toEqual(Array(6).fill(0))
  })
})

describe('on the way to the next frame', () => {
  it('the place goes evenly, also backwards, and waits for a frame that is late', () => {
    expect([0, 0.25, 0.75, 1, 2].map(share => interpolatedFrame(2, 3, share))).toEqual([2, 2.25, 2.75, 3, 3])
    expect([0.25, 2].map(share => interpolatedFrame(2, 1, share))).toEqual([1.75, 1])
  })

  it('there is none from the last to the first', () => {
    expect(interpolatedFrame(4, 0, 0.75)).toBe(4)
    expect(interpolatedFrame(0, 0, 0.75)).toBe(0)
  })
})

describe('when frames come', () => {
  const [a, b, c] = frames(1, 2, 3) as [Float32Array, Float32Array, Float32Array]

  it('the same frame stays, also when an earlier one comes late', () => {
    expect(sameFrameIndex(1, [a, b], [a, b, c])).toBe(1)
    expect(sameFrameIndex(1, [a, c], [a, b, c])).toBe(2)
  })

  it('the nearest takes the place of one that is gone', () => {
    expect(sameFrameIndex(2, [a, b, c], [a])).toBe(0)
    expect(sameFrameIndex(1, [a, b], [])).toBe(0)
    expect(sameFrameIndex(0, [], [a, b])).toBe(0)
  })
})
