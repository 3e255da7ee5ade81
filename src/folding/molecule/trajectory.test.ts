import { describe, expect, it } from 'vitest'
import { MAX_FRAMES } from '../shared/memory-limits.ts'
import { arrivedFrames, emptyTrajectory, nextFrame, putFrame } from './trajectory.ts'

function frame(...values: number[]): Float32Array {
  return new Float32Array(values)
}

describe('a trajectory', () => {
  it('takes frames in any order and knows which to ask for next', () => {
    const one = putFrame(emptyTrajectory, 0, frame(0, 0, 0))
    const three = putFrame(one, 2, frame(2, 2, 2))
    const full = putFrame(three, 1, frame(1, 1, 1))
    expect([emptyTrajectory, one, three, full].map(nextFrame)).toEqual([0, 1, 1, 3])
    expect([emptyTrajectory, one, three, full].map(({ count }) => count)).toEqual([0, 1, 2, 3])
    expect(arrivedFrames(three)).toEqual([frame(0, 0, 0), frame(2, 2, 2)])
    expect(one.frames).toHaveLength(1)
  })

  it('replaces a frame that comes again without counting it twice', () => {
    const again = putFrame(putFrame(emptyTrajectory, 0, frame(0, 0, 0)), 0, frame(9, 9, 9))
    expect(again).toEqual({ frames: [frame(9, 9, 9)], count: 1 })
  })

  it('refuses what it cannot show and stays as it was', () => {
    for (const index of [-1, 0.5, MAX_FRAMES])
      expect(putFrame(emptyTrajectory, index, frame(0, 0, 0))).toBe(emptyTrajectory)
    expect(putFrame(emptyTrajectory, 0, frame(0, 0))).toBe(emptyTrajectory)
    expect(putFrame(emptyTrajectory, 0, frame(0, 0, 0), 2)).toBe(emptyTrajectory)
    expect(putFrame(emptyTrajectory, 0, frame(), 0).count).toBe(1)
    expect(putFrame(emptyTrajectory, 1e9, frame(0, 0, 0))).toBe(emptyTrajectory)
    expect(putFrame(emptyTrajectory, 0, frame(1), 1)).toBe(emptyTrajectory)
  })

  it('keeps 1,000 frames [9.15]', () => {
    let all = emptyTrajectory
    for (let index = 0; index < MAX_FRAMES + 5; index++) all = putFrame(all, index, frame(index, 0, 0))
    expect(all.count).toBe(1000)
    expect(all.frames.length).toBe(1000)
    expect(nextFrame(all)).toBe(1000)
  })
})
