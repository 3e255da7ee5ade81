import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { ticker } from './ticker.ts'

beforeEach(() => vi.useFakeTimers({ now: 10_400 }))
afterEach(() => vi.useRealTimers())

async function start() {
  const visible: { visibilityState: DocumentVisibilityState } = { visibilityState: 'visible' }
  const document = Object.assign(new EventTarget(), visible)
  const ticks: unknown[] = []
  const listeners = new Set<() => void>()
  const wire = {
    onFigures: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const parent = createActor(
    createMachine({
      invoke: { src: ticker({ document, now: Date.now, wire }) },
      on: { 'clock.ticked': { actions: ({ event }) => ticks.push(event['at']) } },
    }),
  ).start()
  await vi.advanceTimersByTimeAsync(0)
  const show = (visibilityState: DocumentVisibilityState): void => {
    document.visibilityState = visibilityState
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return {
    take: () => ticks.splice(0),
    deliverFigures: () => listeners.forEach(listener => listener()),
    show,
    stop: () => parent.stop(),
  }
}

it('the time is reported with the figures of each second, in the same task', async () => {
  const { take, deliverFigures } = await start()
  expect(take()).toEqual([10_400])
  for (const second of [11_000, 12_000]) {
    vi.advanceTimersByTime(second + 5 - Date.now())
    expect(take()).toEqual([])
    deliverFigures()
    expect(take()).toEqual([second + 5])
  }
})

it('without figures the time is reported once a second [2.67, 9.9]', async () => {
  const { take } = await start()
  vi.advanceTimersByTime(2800)
  expect(take()).toEqual([10_400, 11_200, 12_200, 13_200])
})

it('a hidden page gets no time, and one that is shown again gets it at once', async () => {
  const { take, show, deliverFigures } = await start()
  take()
  show('hidden')
  vi.advanceTimersByTime(5000)
  deliverFigures()
  expect({ take: take(), timerCount: vi.getTimerCount() }).toEqual({ take: [], timerCount: 0 })
  show('visible')
  expect(take()).toEqual([15_400])
})

it('nothing is left when it is stopped', async () => {
  const { take, stop, deliverFigures } = await start()
  take()
  stop()
  deliverFigures()
  expect({ take: take(), timerCount: vi.getTimerCount() }).toEqual({ take: [], timerCount: 0 })
})
