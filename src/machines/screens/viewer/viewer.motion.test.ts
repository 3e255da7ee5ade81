import { describe, expect, it } from 'vitest'
import { startViewer } from '../../../../test/machines/viewer.ts'
import type { ViewerEvent } from './viewer.events.ts'
import type { ViewerRef } from './viewer.machine.ts'
import { isCoasting, isDragging, isPlaying, isRotating, isTicking, isWiggling, selectFrame, selectFrameWords, selectMotionWords } from './viewer.selectors.ts'

describe('frames', () => {
  it('wrap around at both ends', () => {
    const { send, look, see } = startViewer()
    look(3)
    const seen = ([-1, 1, 1, 1, 1] as const).map(by => {
      send({ type: 'viewer.step', by })
      return see(selectFrame)
    })
    expect([seen, see(selectFrameWords)]).toEqual([[2, 0, 1, 2, 0], 'Frame 1 of 3'])
  })

  it('do not change with fewer than two', () => {
    const { send, look, see } = startViewer()
    look(1)
    send({ type: 'viewer.step', by: 1 }, { type: 'viewer.toggleWiggle' }, { type: 'viewer.togglePlayback' })
    expect([see(selectFrame), see(isWiggling), see(isPlaying)]).toEqual([0, false, false])
  })

  it.each([-1, 4, 1.5, NaN])('do not go to %d, which is none', frame => {
    const { send, look, see } = startViewer()
    look(4)
    send({ type: 'viewer.goTo', frame: 2 }, { type: 'viewer.goTo', frame })
    expect(see(selectFrame)).toBe(2)
  })

  it('advance ten times a second while wiggling, slower while playing, and stand at a whole one afterwards', () => {
    const { send, look, see } = startViewer()
    look(8)
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 350 })
    expect([see(selectFrame), see(selectFrameWords), see(selectMotionWords)]).toEqual([3, '', 'Rotating, wiggling'])
    send({ type: 'viewer.togglePlayback' }, { type: 'viewer.ticked', elapsed: 900 })
    expect([see(selectFrame), see(isWiggling), see(selectMotionWords)]).toEqual([5, false, 'Rotating, playing the trajectory'])
    send({ type: 'viewer.togglePlayback' })
    expect([see(({ context }) => context.place), see(selectFrameWords)]).toEqual([5, 'Frame 6 of 8'])
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 330 })
    expect(see(selectFrame)).toBe(0)
  })

  it('stand still when somebody steps', () => {
    const { send, look, see } = startViewer()
    look(8)
    send({ type: 'viewer.toggleWiggle' }, { type: 'viewer.ticked', elapsed: 250 }, { type: 'viewer.step', by: 1 })
    expect([see(isWiggling), see(({ context }) => context.place)]).toEqual([false, 3])
  })
})

describe('what moves', () => {
  const turn = ({ context }: ReturnType<ViewerRef['getSnapshot']>): number => context.turn

  it('turns by itself until that is paused or a hand takes it', () => {
    const { send, look, see } = startViewer()
    look()
    send({ type: 'viewer.ticked', elapsed: 100 })
    const turned = see(turn)
    expect(turned).toBeGreaterThan(0)
    send({ type: 'viewer.grab' }, { type: 'viewer.ticked', elapsed: 100 })
    expect([see(turn), see(isDragging), see(isRotating)]).toEqual([turned, true, true])
    send({ type: 'viewer.release', isCoasting: false }, { type: 'viewer.toggleRotation' }, { type: 'viewer.ticked', elapsed: 100 })
    expect([see(turn), see(isDragging), see(selectMotionWords)]).toEqual([turned, false, 'Rotation paused'])
  })

  it('asks for frames of the screen only while something does', () => {
    const { send, look, tickers, see } = startViewer()
    const seen: number[] = [tickers()]
    const after = (...events: readonly ViewerEvent[]): void => {
      send(...events)
      seen.push(tickers())
    }
    look()
    after()
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.toggleWiggle' })
    after({ type: 'viewer.grab' })
    after({ type: 'viewer.release', isCoasting: true })
    expect([see(isCoasting), see(isTicking)]).toEqual([true, true])
    after({ type: 'viewer.rest' })
    after({ type: 'viewer.toggleRotation' })
    after({ type: 'viewer.close' })
    expect(seen).toEqual([0, 1, 0, 1, 0, 0, 1, 0, 1, 0])
  })

  it('does not, of itself, before somebody who prefers stillness', () => {
    const { send, look, see, tickers } = startViewer()
    send({ type: 'viewer.preferStill', isStill: true })
    look()
    send({ type: 'viewer.grab' }, { type: 'viewer.release', isCoasting: true })
    expect([see(isRotating), see(isCoasting), tickers()]).toEqual([false, false, 0])
    send({ type: 'viewer.toggleRotation' })
    expect([see(isRotating), tickers()]).toEqual([true, 1])
    send({ type: 'viewer.preferStill', isStill: true })
    expect(tickers()).toBe(0)
    send({ type: 'viewer.preferStill', isStill: false }, { type: 'viewer.grab' }, { type: 'viewer.release', isCoasting: true })
    expect([see(isRotating), see(isCoasting)]).toEqual([false, true])
    send({ type: 'viewer.preferStill', isStill: true })
    expect([see(isCoasting), tickers()]).toEqual([false, 0])
  })
})
