import { describe, expect, it } from 'vitest'
import { startViewer, structureOf, unit } from '../../../../test/machines/viewer.ts'
import type { ViewerEvent } from '../../../machines/screens/viewer/viewer.events.ts'
import { createAnimationLoop, isSlow, movementOf, NO_PROGRESS, progressAfter, wayOf } from './movement.ts'

describe('the animation', () => {
  it('rotates by 12° per second, except while dragged', () => {
    const { look, send, see } = startViewer()
    look()
    const { turn, ...others } = see(snapshot => movementOf(snapshot, 1000, 0))
    expect(turn).toBeCloseTo(Math.PI / 15, 9)
    expect(others).toEqual({ coasted: 0, place: 0 })
    send({ type: 'viewer.grab' })
    expect(see(snapshot => movementOf(snapshot, 1000, 0))).toEqual({ turn: 0, coasted: 0, place: 0 })
    send({ type: 'viewer.release', isCoasting: true })
    expect(see(snapshot => movementOf(snapshot, 16, 0))).toEqual({ turn: 0, coasted: 16, place: 0 })
  })

  it('interpolates between trajectory frames, except with reduced motion', () => {
    const { look, send, see } = startViewer()
    look()
    send({ type: 'viewer.togglePlayback' }, { type: 'viewer.frameElapsed' })
    expect(see(snapshot => [0, 0.25, 1, 2.5].map(share => movementOf(snapshot, 16, share).place))).toEqual([
      1, 1.25, 2, 2,
    ])
    send({ type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 0.5).place)).toBe(1.5)
    send({ type: 'viewer.setReducedMotion', isStill: true }, { type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 0.5).place)).toBe(1)
  })
})

it.each([
  [15, 500, undefined],
  [16, 0, undefined],
  [16, 119, false],
  [40, 500, true],
])('after %d pictures, of which one takes %d ms, whether it is slow is %s', (framesDrawn, frameMs, expected) => {
  expect(isSlow({ framesDrawn, frameMs })).toBe(expected)
})

describe('the way from one frame to the next', () => {
  const start = (count: number) => {
    const { watch, send, see } = startViewer()
    watch(count)
    let progress = { ...NO_PROGRESS, share: 0.5 }
    /** The way before and after what the machine is told. */
    const around = (...events: readonly ViewerEvent[]): readonly [number, number] => {
      const before = see(snapshot => snapshot)
      const way = wayOf(progress)
      send(...events)
      progress = progressAfter(
        progress,
        before,
        see(snapshot => snapshot),
      )
      return [way, wayOf(progress)]
    }
    const passing = (share: number): number => {
      progress = { ...progress, share: progress.share + share }
      return wayOf(progress)
    }
    return { around, passing }
  }

  it('begins with each frame', () => {
    expect(start(4).around({ type: 'viewer.frameElapsed' })).toEqual([0.5, 0])
  })

  it('goes on from where it is when the speed changes, and ends with the time of the new one', () => {
    const { around, passing } = start(4)
    expect(around({ type: 'viewer.setSpeed', speed: 2 })).toEqual([0.5, 0.5])
    expect(passing(0.5)).toBe(0.75)
    expect(passing(0.5)).toBe(1)
  })

  it('does not jump when frames come, also while the last one waits for the first', () => {
    const { around, passing } = start(4)
    expect(around({ type: 'molecule.changed', ...unit, structure: structureOf(6) })).toEqual([0.5, 0.5])
    const last = start(2)
    last.around({ type: 'viewer.frameElapsed' })
    last.passing(0.75)
    expect(last.around({ type: 'molecule.changed', ...unit, structure: structureOf(3) })[1]).toBe(0)
    expect(last.passing(0.125)).toBe(0.5)
    expect(last.passing(0.125)).toBe(1)
    expect(passing(0.5)).toBe(1)
  })

  it('is none while nothing plays', () => {
    expect(start(4).around({ type: 'viewer.togglePlayback' })).toEqual([0.5, 0])
  })
})

describe('the animation loop', () => {
  const start = (lasts: number) => {
    const due: FrameRequestCallback[] = []
    const calls: number[] = []
    const window = {
      requestAnimationFrame: (task: FrameRequestCallback) => due.push(task),
      cancelAnimationFrame: () => due.splice(0),
    }
    const loop = createAnimationLoop(window, elapsed => calls.push(elapsed) < lasts)
    return {
      ...loop,
      calls,
      waiting: () => due.length,
      drawAt: (...times: readonly number[]) => times.forEach(at => due.shift()?.(at)),
    }
  }

  it('calls back before each repaint until nothing moves, with the time since the previous one', () => {
    const { start: begin, calls, waiting, drawAt } = start(4)
    begin()
    begin()
    expect(waiting()).toBe(1)
    drawAt(500, 516, 9000, 9016, 9032)
    expect({ calls, waiting: waiting() }).toEqual({ calls: [0, 16, 100, 16], waiting: 0 })
    begin()
    drawAt(20_000)
    expect(calls.at(-1)).toBe(0)
  })

  it('stops', () => {
    const { start: begin, stop, calls, waiting, drawAt } = start(9)
    begin()
    stop()
    drawAt(1)
    expect({ calls, waiting: waiting() }).toEqual({ calls: [], waiting: 0 })
  })
})
