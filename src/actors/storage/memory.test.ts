import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import type { RememberedClient } from '../../machines/connection/fleet/fleet.events.ts'
import { clientMemory } from './memory.ts'
import { createCache, type Cache } from '../resources/cache.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

function clientCalled(id: string, kind: RememberedClient['kind'], at = 1): RememberedClient {
  return {
    id,
    kind,
    name: id.toUpperCase(),
    at,
    data: { info: { id, mach_name: id }, config: {}, groups: {}, units: [] },
  }
}

describe('the memory of clients', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const cache = () => createCache(Promise.resolve(undefined), () => NOW)

  const visit = (storage: ReturnType<typeof cache>, clients: () => readonly RememberedClient[], isAvailable = true) => {
    const received: { readonly machines: readonly RememberedClient[] }[] = []
    const eventTypes: string[] = []
    const page = new EventTarget()
    const document = {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
      visibilityState: 'visible' as DocumentVisibilityState,
    }
    const parent = createActor(
      createMachine({
        invoke: {
          src: clientMemory({
            cache: storage,
            isAvailable: Promise.resolve(isAvailable),
            now: () => NOW,
            selectClients: clients,
            document,
          }),
          id: 'memory',
        },
        on: {
          '*': { actions: ({ event }) => eventTypes.push(event.type) },
          'memory.restored': { actions: ({ event }) => received.push(event as never) },
        },
      }),
    ).start()
    return {
      received,
      eventTypes,
      loaded: () => received.flatMap(({ machines: some }) => some),
      hide: async () => {
        document.visibilityState = 'hidden'
        page.dispatchEvent(new Event('visibilitychange'))
        await vi.advanceTimersByTimeAsync(0)
      },
      forget: async () => {
        parent.getSnapshot().children['memory']?.send({ type: 'memory.clearAccount' })
        await vi.advanceTimersByTimeAsync(0)
      },
      leave: () => parent.stop(),
    }
  }

  it.each([
    [true, []],
    [false, ['memory.unavailable']],
  ])('says when this browser keeps nothing (it does: %s)', async (isAvailable, expected) => {
    const { eventTypes, leave } = visit(cache(), () => [], isAvailable)
    await vi.advanceTimersByTimeAsync(0)
    expect(eventTypes).toEqual(expected)
    leave()
  })

  it('restores on the next visit what it saved when the page was hidden, and periodically', async () => {
    const storage = cache()
    const clients = [clientCalled('here', 'direct'), clientCalled('there', 'relay')]
    let shown: readonly RememberedClient[] = clients
    const first = visit(storage, () => shown)
    await vi.advanceTimersByTimeAsync(0)
    expect(first.received).toEqual([])
    await first.hide()
    // The same data: how it is told from another computer with its id is known now.
    shown = [{ ...(clients[0] ?? clientCalled('here', 'direct')), clone: 'computer' }, ...clients.slice(1)]
    await vi.advanceTimersByTimeAsync(5000)
    shown = [...shown, clientCalled('new', 'relay')]
    await vi.advanceTimersByTimeAsync(5000)
    first.leave()
    const second = visit(storage, () => [])
    await vi.advanceTimersByTimeAsync(0)
    expect(second.loaded()).toEqual(shown)
    second.leave()
  })

  it('clears the clients of an account, but not the one on this computer', async () => {
    const storage = cache()
    const first = visit(storage, () => [clientCalled('here', 'direct'), clientCalled('there', 'relay')])
    await vi.advanceTimersByTimeAsync(5000)
    await first.forget()
    first.leave()
    const second = visit(storage, () => [])
    await vi.advanceTimersByTimeAsync(0)
    expect(second.loaded().map(({ id }) => id)).toEqual(['here'])
    expect(JSON.stringify(await storage.read('personal', 'machines/0'))).not.toContain('there')
    second.leave()
  })

  it('saves and restores large fleets in chunks', async () => {
    const storage = cache()
    const clients = Array.from({ length: 123 }, (_, index) => clientCalled(`m${index}`, 'relay'))
    const first = visit(storage, () => clients)
    await vi.advanceTimersByTimeAsync(5000)
    first.leave()
    expect((await storage.read('personal', 'machines/2'))?.body).toHaveLength(23)
    const second = visit(storage, () => clients.slice(0, 40))
    await vi.advanceTimersByTimeAsync(0)
    expect(second.received.map(({ machines: some }) => some.length)).toEqual([50, 50, 23])
    expect(second.loaded()).toEqual(clients)
    await vi.advanceTimersByTimeAsync(5000)
    second.leave()
    const third = visit(storage, () => [])
    await vi.advanceTimersByTimeAsync(0)
    expect(third.loaded()).toHaveLength(40)
    third.leave()
  })

  it('saves nothing before the stored clients are known, however late they are', async () => {
    const storage = cache()
    const first = visit(storage, () => [clientCalled('desk', 'direct')])
    await vi.advanceTimersByTimeAsync(5000)
    first.leave()
    let open = (): void => undefined
    const opened = new Promise<void>(resolve => (open = resolve))
    const late: Cache = { ...storage, read: async (...wanted) => opened.then(() => storage.read(...wanted)) }
    const second = visit(late, () => [])
    await second.hide()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(second.loaded()).toEqual([])
    open()
    await vi.advanceTimersByTimeAsync(0)
    second.leave()
    expect(second.loaded().map(({ id }) => id)).toEqual(['desk'])
  })

  it('stores no secrets', async () => {
    const storage = cache()
    const client = clientCalled('desk', 'direct')
    const config = { user: 'Ada', passkey: '8c0ffee0badc0de5feedface00112233' }
    const { hide, leave } = visit(storage, () => [{ ...client, data: { ...client.data, config } }])
    await vi.advanceTimersByTimeAsync(0)
    await hide()
    leave()
    expect((await storage.read('shared', 'machines/0'))?.body).toEqual([
      { ...client, data: { ...client.data, config: { user: 'Ada' } } },
    ])
  })

  it('ignores entries that are no clients', async () => {
    const storage = cache()
    await storage.write('shared', 'machines/0', {
      at: NOW,
      body: [
        null,
        7,
        { id: 1, at: 2, data: {} },
        { id: 'x', at: 'soon', data: { info: {} } },
        { id: 'y', at: 1, data: 'z' },
        { id: 'ok', at: 1, data: { info: { id: 'ok' } }, clone: 'unheard of' },
      ],
    })
    const { loaded, leave } = visit(storage, () => [])
    await vi.advanceTimersByTimeAsync(0)
    expect(loaded().map(({ id, kind, clone }) => [id, kind, clone])).toEqual([['ok', 'direct', undefined]])
    leave()
  })
})
