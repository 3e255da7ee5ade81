import { createActor, createMachine, type AnyEventObject } from 'xstate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverEvents } from './server-session.ts'

function start() {
  const reported: AnyEventObject[] = []
  const source = Object.assign(new EventTarget(), { readyState: 0, close: () => undefined })
  const parent = createActor(
    createMachine({
      invoke: { src: serverEvents({ fetch, openEvents: () => source as unknown as EventSource }) },
      on: { '*': { actions: ({ event }) => reported.push(event) } },
    }),
  ).start()
  const happens = (type: string, readyState: number): void => {
    source.readyState = readyState
    source.dispatchEvent(new Event(type))
  }
  return { reported, happens, stop: () => parent.stop() }
}

const [CONNECTING, OPEN, CLOSED] = [0, 1, 2]
const lost = { type: 'server.eventsLost' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the events of the server', () => {
  it('report changes, and at once that they were refused after they had begun', () => {
    const { reported, happens } = start()
    happens('open', OPEN)
    happens('shared', OPEN)
    happens('error', CONNECTING)
    vi.advanceTimersByTime(60_000)
    expect(reported).toEqual([{ type: 'server.changed' }])
    happens('error', CLOSED)
    vi.advanceTimersByTime(0)
    expect(reported.at(-1)).toEqual(lost)
  })

  it('that are refused from the start report it half a minute later, so that a server that refuses them is not called on and on', () => {
    const { reported, happens } = start()
    happens('error', CLOSED)
    vi.advanceTimersByTime(29_999)
    expect(reported).toEqual([])
    vi.advanceTimersByTime(1)
    expect(reported).toEqual([lost])
    const stopped = start()
    stopped.happens('error', CLOSED)
    stopped.stop()
    vi.advanceTimersByTime(30_000)
    expect(stopped.reported).toEqual([])
  })
})
