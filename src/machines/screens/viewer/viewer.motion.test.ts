import { describe, expect, it } from 'vitest'
import { startViewer, structureOf, unit } from '../../../../test/machines/viewer.ts'
import type { ViewerEvent } from './viewer.events.ts'
import {
  isCoasting,
  isDragging,
  isMoving,
  isPlaying,
  isRotating,
  isTurning,
  isWiggling,
  selectNextFrame,
  selectFrameText,
  selectMotionText,
  selectPace,
  selectEconomy,
} from './viewer.selectors.ts'

describe('frames', () => {
  it('wrap around at both ends [4.24]', () => {
    const { send, look, see } = startViewer()
    look(3)
    const seen = ([-1, 1, 1, 1, 1] as const).map(by => {
      send({ type: 'viewer.step', by })
      return see(({ context }) => context.frame)
    })
    expect({ seen, frameText: see(selectFrameText) }).toEqual({ seen: [2, 0, 1, 2, 0], frameText: 'Frame 1 of 3' })
  })

  it('do not change with fewer than two [4.24]', () => {
    const { send, look, see } = startViewer()
    look(1)
    send({ type: 'viewer.step', by: 1 }, { type: 'viewer.toggleWiggle' }, { type: 'viewer.togglePlayback' })
    expect(see(({ context }) => context.frame)).toBe(0)
    expect(see(isWiggling)).toBe(false)
    expect(see(isPlaying)).toBe(false)
  })

  it.each([-1, 4, 1.5, NaN])('do not go to %d, which is none', frame => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.goTo', frame: 2 }, { type: 'viewer.goTo', frame })
    expect(see(({ context }) => context.frame)).toBe(2)
  })

  it('advance every 100 ms while wiggling, more slowly while playing, and go on from the last to the first [9.15]', () => {
    const { send, look, see, paces } = startViewer()
    const elapsed = { type: 'viewer.frameElapsed' } as const
    look(4)
    send(elapsed, { type: 'viewer.toggleWiggle' }, elapsed, elapsed)
    expect(see(({ context }) => context.frame)).toBe(2)
    expect([...paces]).toEqual([100])
    expect(see(selectFrameText)).toBe('')
    expect(see(selectMotionText)).toBe('Rotating, wiggling')
    send({ type: 'viewer.togglePlayback' }, elapsed, elapsed)
    expect(see(({ context }) => context.frame)).toBe(0)
    expect([...paces]).toEqual([400])
    expect(see(selectMotionText)).toBe('Rotating, playing the trajectory')
    send({ type: 'viewer.togglePlayback' }, elapsed)
    expect(see(({ context }) => context.frame)).toBe(0)
    expect(paces).toEqual([])
    expect(see(selectFrameText)).toBe('Frame 1 of 4')
  })

  it('stand still when the user steps', () => {
    const { send, look, see, paces } = startViewer()
    look(8)
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.frameElapsed' }, { type: 'viewer.step', by: 1 })
    expect(see(isWiggling)).toBe(false)
    expect(see(({ context }) => context.frame)).toBe(2)
    expect(paces).toEqual([])
  })
})

describe('playback', () => {
  const elapsed = { type: 'viewer.frameElapsed' } as const

  it('begins when there are several frames, and not again after the user has stopped it', () => {
    const { send, watch, see, paces } = startViewer()
    watch(1)
    expect(see(isPlaying)).toBe(false)
    expect(see(selectFrameText)).toBe('Frame 1 of 1')
    send({ type: 'molecule.changed', ...unit, structure: structureOf(3) }, elapsed)
    expect(see(isPlaying)).toBe(true)
    expect(see(({ context }) => context.frame)).toBe(1)
    expect(paces).toEqual([400])
    send({ type: 'viewer.togglePlayback' }, { type: 'molecule.changed', ...unit, structure: structureOf(5) })
    expect(see(isPlaying)).toBe(false)
    expect(see(({ context }) => context.frame)).toBe(1)
    expect(see(({ context }) => context.frames.length)).toBe(5)
    watch(3)
    expect(see(isPlaying)).toBe(true)
  })

  it('does not begin by itself with reduced motion', () => {
    const { send, watch, see } = startViewer()
    send({ type: 'viewer.setReducedMotion', isStill: true })
    watch(4)
    expect(see(isPlaying)).toBe(false)
    expect(see(selectFrameText)).toBe('Frame 1 of 4')
    send({ type: 'viewer.togglePlayback' })
    expect(see(isPlaying)).toBe(true)
  })

  it.each(['software', 'battery', 'slow'] as const)(
    'nor does rotation where pictures cost too much (%s), until the user starts them',
    because => {
      const { send, watch, see } = startViewer()
      watch(4)
      expect(see(isMoving)).toBe(true)
      expect(see(selectEconomy)).toBeUndefined()
      send({ type: 'viewer.economize', because })
      expect(see(isPlaying)).toBe(false)
      expect(see(isRotating)).toBe(false)
      expect(see(selectEconomy)).toEqual(because)
      send({ type: 'viewer.toggleRotation' })
      expect(see(isRotating)).toBe(true)
      expect(see(selectEconomy)).toBeUndefined()
    },
  )

  it('is faster or slower at once, also for the next molecule', () => {
    const { send, watch, see, paces } = startViewer()
    watch(4)
    send(elapsed, { type: 'viewer.setSpeed', speed: 4 })
    expect([...paces]).toEqual([100])
    expect(see(({ context }) => context.frame)).toBe(1)
    expect(see(selectPace)).toBe(100)
    watch(3)
    send({ type: 'viewer.togglePlayback' }, { type: 'viewer.setSpeed', speed: 0.5 })
    expect([...paces]).toEqual([])
    expect(see(selectPace)).toBeUndefined()
    send({ type: 'viewer.togglePlayback' })
    expect(paces).toEqual([800])
  })

  it('goes back and forth, and says which frame follows', () => {
    const { send, watch, see } = startViewer()
    watch(3)
    send({ type: 'viewer.setSwing', swings: true })
    const seen = Array.from({ length: 5 }, () => {
      const next = see(selectNextFrame)
      send(elapsed)
      return [next, see(({ context }) => context.frame)]
    })
    expect(seen).toEqual([1, 2, 1, 0, 1].map(frame => [frame, frame]))
    send(
      { type: 'viewer.goTo', frame: 2 },
      { type: 'viewer.togglePlayback' },
      { type: 'viewer.setSwing', swings: false },
    )
    expect({ nextFrame: see(selectNextFrame), swings: see(({ context }) => context.swings) }).toEqual({
      nextFrame: 0,
      swings: false,
    })
  })

  it('goes on at the same place when frames come', () => {
    const { send, watch, see } = startViewer()
    watch(4)
    send(elapsed, elapsed, { type: 'molecule.changed', ...unit, structure: structureOf(6) })
    expect(see(isPlaying)).toBe(true)
    expect(see(({ context }) => context.frame)).toBe(2)
    expect(see(selectNextFrame)).toBe(3)
  })
})

describe('what moves', () => {
  it('turns by itself until that is paused or a hand takes it', () => {
    const { send, look, see } = startViewer()
    expect(see(isTurning)).toBe(false)
    look()
    expect(see(isTurning)).toBe(true)
    send({ type: 'viewer.grab' })
    expect(see(isTurning)).toBe(false)
    expect(see(isDragging)).toBe(true)
    expect(see(isRotating)).toBe(true)
    send({ type: 'viewer.release', isCoasting: false })
    expect(see(isTurning)).toBe(true)
    send({ type: 'viewer.toggleRotation' })
    expect(see(isTurning)).toBe(false)
    expect(see(isDragging)).toBe(false)
    expect(see(selectMotionText)).toBe('Rotation paused')
  })

  it('is only what the user has started, and nothing without a molecule', () => {
    const { send, look, see } = startViewer()
    const seen: boolean[] = [see(isMoving)]
    const after = (...events: readonly ViewerEvent[]): void => {
      send(...events)
      seen.push(see(isMoving))
    }
    look()
    after()
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.grab' })
    after({ type: 'viewer.release', isCoasting: true })
    expect(see(isCoasting)).toBe(true)
    after({ type: 'viewer.endCoasting' })
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.close' })
    expect(seen).toEqual([false, true, false, true, false, false, true, false, true, false])
  })

  it('does not start by itself when the user prefers reduced motion', () => {
    const { send, look, see } = startViewer()
    send({ type: 'viewer.setReducedMotion', isStill: true })
    look()
    send({ type: 'viewer.grab' }, { type: 'viewer.release', isCoasting: true })
    expect(see(isRotating)).toBe(false)
    expect(see(isCoasting)).toBe(false)
    expect(see(isMoving)).toBe(false)
    send({ type: 'viewer.toggleRotation' })
    expect({ isRotating: see(isRotating), isMoving: see(isMoving) }).toEqual({ isRotating: true, isMoving: true })
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.setReducedMotion', isStill: true })
    expect({ isMoving: see(isMoving), pace: see(selectPace) }).toEqual({ isMoving: false, pace: undefined })
    send(
      { type: 'viewer.setReducedMotion', isStill: false },
      { type: 'viewer.grab' },
      { type: 'viewer.release', isCoasting: true },
    )
    expect(see(isRotating)).toBe(false)
    expect(see(isCoasting)).toBe(true)
    send({ type: 'viewer.setReducedMotion', isStill: true })
    expect({ isCoasting: see(isCoasting), isMoving: see(isMoving) }).toEqual({ isCoasting: false, isMoving: false })
  })
})
