import { describe, expect, it } from 'vitest'
import { startViewer } from '../../../../test/machines/viewer.ts'
import { createPulse, movementOf } from './movement.ts'

describe('what a moment of movement comes to', () => {
  it('is a turn of 12° a second, unless a hand has it', () => {
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

  it('is a place between two frames while the trajectory moves, and steps for who prefers stillness', () => {
    const { look, send, see } = startViewer()
    look()
    send({ type: 'viewer.togglePlayback' }, { type: 'viewer.frameElapsed' })
    expect(see(snapshot => [0, 100, 400, 900].map(shownFor => movementOf(snapshot, 16, shownFor).place))).toEqual([
      1, 1.25, 2, 2,
    ])
    send({ type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 50).place)).toBe(1.5)
    send({ type: 'viewer.preferStill', isStill: true }, { type: 'viewer.toggleWiggle' })
    expect(see(snapshot => movementOf(snapshot, 16, 50).place)).toBe(1)
  })
})

describe('the pulse', () => {
  const start = (lasts: number) => {
    const due: FrameRequestCallback[] = []
    const beats: number[] = []
    const window = {
      requestAnimationFrame: (task: FrameRequestCallback) => due.push(task),
      cancelAnimationFrame: () => due.splice(0),
    }
    const pulse = createPulse(window, elapsed => beats.push(elapsed) < lasts)
    return {
      ...pulse,
      beats,
      waiting: () => due.length,
      drawAt: (...times: readonly number[]) => times.forEach(at => due.shift()?.(at)),
    }
  }

  it('beats before each picture until nothing moves, and knows how long it was since the one before', () => {
    const { start: begin, beats, waiting, drawAt } = start(4)
    begin()
    begin()
    expect(waiting()).toBe(1)
    drawAt(500, 516, 9000, 9016, 9032)
    expect([beats, waiting()]).toEqual([[0, 16, 100, 16], 0])
    begin()
    drawAt(20_000)
    expect(beats.at(-1)).toBe(0)
  })

  it('stops', () => {
    const { start: begin, stop, beats, waiting, drawAt } = start(9)
    begin()
    stop()
    drawAt(1)
    expect([beats, waiting()]).toEqual([[], 0])
  })
})
