import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { page } from './page.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

function watch({ onLine = true } = {}) {
  const received: { type: string }[] = []
  const visible: { visibilityState: DocumentVisibilityState } = { visibilityState: 'visible' }
  const document = Object.assign(new EventTarget(), visible)
  const window = Object.assign(new EventTarget(), { setInterval, clearInterval, navigator: { onLine } })
  const logic = page({ document: document, window: window, now: () => Date.now() })
  const parent = createActor(
    createMachine({ invoke: { src: logic }, on: { '*': { actions: ({ event }) => received.push(event) } } }),
  ).start()
  const show = (visibilityState: DocumentVisibilityState): void => {
    document.visibilityState = visibilityState
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { received, window, show, stop: () => parent.stop() }
}

describe('the page', () => {
  it('reports when it is hidden and shown, and when the network is lost and regained', () => {
    const { received, window, show } = watch()
    show('hidden')
    show('visible')
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    expect(received.map(({ type }) => type)).toEqual(['page.hidden', 'page.shown', 'network.lost', 'network.regained'])
  })

  it('reports at once that there is no network when it is opened without one', async () => {
    const { received } = watch({ onLine: false })
    await Promise.resolve()
    expect(received.map(({ type }) => type)).toEqual(['network.lost'])
  })

  it('reports sleep after a very late heartbeat, but not after the slow timers of a hidden page', () => {
    const { received, show } = watch()
    vi.advanceTimersByTime(60_000)
    show('hidden')
    vi.setSystemTime(Date.now() + 60_000)
    vi.advanceTimersByTime(5000)
    expect(received.map(({ type }) => type)).toEqual(['page.hidden'])
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(5000)
    expect(received.map(({ type }) => type)).toEqual(['page.hidden', 'page.woke'])
  })

  it('reports sleep when the clock was set back', () => {
    const { received } = watch()
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(2000)
    vi.advanceTimersByTime(10_000)
    expect(received.map(({ type }) => type)).toEqual(['page.woke'])
  })

  it('removes its listeners when it is stopped', () => {
    const { received, window, show, stop } = watch()
    stop()
    show('hidden')
    window.dispatchEvent(new Event('online'))
    expect({ received, timerCount: vi.getTimerCount() }).toEqual({ received: [], timerCount: 0 })
  })
})
