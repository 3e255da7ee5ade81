import { describe, expect, it } from 'vitest'
import { startViewer } from '../../../../test/machines/viewer.ts'
import { createAnimationLoop, movementOf } from './movement.ts'

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
    expect(see(snapshot => [0, 100, 400, 900].map(shownFor => movementOf(snapshot, 16, shownFor).place))).toEqual([
      1, 1.25, 2, 2,
    ])
    send({ type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 50).place)).toBe(1.5)
    send({ type: 'viewer.setReducedMotion', isStill: true }, { type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 50).place)).toBe(1)
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
    expect([calls, waiting()]).toEqual([[0, 16, 100, 16], 0])
    begin()
    drawAt(20_000)
    expect(calls.at(-1)).toBe(0)
  })

  it('stops', () => {
    const { start: begin, stop, calls, waiting, drawAt } = start(9)
    begin()
    stop()
    drawAt(1)
    expect([calls, waiting()]).toEqual([[], 0])
  })
})
