import { expect, it } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { framePacer } from './frame-pacer.ts'

/** A pacer of 100 ms, and pictures of the screen at times that the test names. */
function startPacer() {
  let due: FrameRequestCallback | undefined
  let reports = 0
  const window = {
    requestAnimationFrame: (task: FrameRequestCallback) => {
      due = task
      return 1
    },
    cancelAnimationFrame: () => {
      due = undefined
    },
  }
  const parent = createActor(
    createMachine({
      invoke: { src: framePacer({ window }), input: { every: 100 } },
      on: { 'viewer.frameElapsed': { actions: () => (reports += 1) } },
    }),
  ).start()
  return {
    drawAt: (...times: readonly number[]): readonly number[] =>
      times.map(at => {
        due?.(at)
        return reports
      }),
    stop: () => parent.stop(),
    isWaiting: () => due !== undefined,
  }
}

it('reports a frame when it was shown long enough, and carries the rest over', () => {
  expect(startPacer().drawAt(1000, 1040, 1090, 1130, 1190, 1210)).toEqual([0, 0, 0, 1, 1, 2])
})

it('shows every frame on a slow page, and skips none after a pause', () => {
  expect(startPacer().drawAt(0, 5000, 10_000, 9000, 9100)).toEqual([0, 1, 2, 2, 3])
})

it('requests no animation frames after it has stopped', () => {
  const { stop, isWaiting, drawAt } = startPacer()
  stop()
  expect({ isWaiting: isWaiting(), drawAt: drawAt(0, 500) }).toEqual({ isWaiting: false, drawAt: [0, 0] })
})
