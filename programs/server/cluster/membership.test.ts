import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Bindings } from '../http/handler.ts'
import { openServerStore } from '../store/sqlite.ts'
import { createMembership } from './membership.ts'
import { createPeers } from './peers.ts'

test('a request that is passed on is waited for as long as a command takes, and while the same server coordinates', async () => {
  vi.useFakeTimers()
  const answers: ((answer: Response) => void)[] = []
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((resolve, reject) => {
        answers.push(resolve)
        signal.addEventListener('abort', () => reject(new Error('It was aborted.')))
      }),
  )
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  })
  const store = await openServerStore(undefined)
  let holder: string | undefined = 'http://one'
  const cluster = {
    holderOf: () => holder,
    peers: createPeers(''),
    notify: () => undefined,
    stop: () => Promise.resolve(),
  }
  const membership = createMembership({
    connection: { store, start: () => Promise.resolve(cluster) },
    places: { account: new Map(), byUrl: new Map() },
    log: pino({ level: 'silent' }),
    coordinate: () => Promise.resolve(),
    onMoved: () => undefined,
  })
  onTestFinished(async () => {
    membership.stop()
    await store.close()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  await membership.join({
    api: new Hono<{ Bindings: Bindings }>(),
    personChanged: () => undefined,
    openClient: () => 404,
    onTopic: () => undefined,
  })
  const forward = async () => {
    const request = new Request('http://localhost/api/server/machines/1/processors', { method: 'POST' })
    return (await membership.forward(request, { name: 'ana', role: 'operator' }, {})).status
  }
  const long = forward()
  await vi.advanceTimersByTimeAsync(60_000)
  // The lease of this server is renewed late.
  holder = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  holder = 'http://one'
  answers[0]?.(new Response('done'))
  expect(await long).toBe(200)
  const moved = forward()
  await vi.advanceTimersByTimeAsync(1000)
  holder = 'http://other'
  await vi.advanceTimersByTimeAsync(1000)
  expect(await moved).toBe(503)
})
