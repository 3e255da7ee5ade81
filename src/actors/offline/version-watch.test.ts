import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine, type AnyActorRef } from 'xstate'
import type { LoadFault } from '../../folding/shared/load-fault.ts'
import { noteVersion } from './kept-version.ts'
import { versionWatch } from './version-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const HOUR = 60 * 60_000

class PageDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  readyState: DocumentReadyState = 'loading'
}

class PageWindow extends EventTarget {
  setTimeout = setTimeout
  clearTimeout = clearTimeout
}

class Workers extends EventTarget {
  controller: ServiceWorker | null = null
  readonly registered: string[] = []
  finish: () => void = () => undefined
  readonly ready = new Promise<ServiceWorkerRegistration>(resolve => {
    this.finish = () => resolve({} as ServiceWorkerRegistration)
  })
  register = (url: string | URL): Promise<ServiceWorkerRegistration> => {
    this.registered.push(url.toString())
    return Promise.reject(new Error('not today'))
  }
}

function startWatch({
  workers,
  isControlled = false,
  isUpgraded = false,
}: { workers?: Workers; isControlled?: boolean; isUpgraded?: boolean } = {}) {
  const document = new PageDocument()
  const window = new PageWindow()
  const received: unknown[] = []
  const reload = vi.fn()
  const idle: (() => void)[] = []
  let fault: LoadFault = 'damaged'
  const findFault = vi.fn(() => Promise.resolve(fault))
  if (isControlled && workers !== undefined) workers.controller = {} as ServiceWorker
  const logic = versionWatch({
    document,
    window: window,
    now: Date.now,
    whenIdle: run => idle.push(run),
    isUpgraded: () => Promise.resolve(isUpgraded),
    findFault,
    serviceWorker: workers,
    reload,
  })
  const parent = createActor(
    createMachine({
      invoke: { src: logic, id: 'watch' },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
  ).start()
  return {
    document,
    received,
    reload,
    findFault,
    actor: parent.getSnapshot().children['watch'] as AnyActorRef,
    stop: () => parent.stop(),
    setFault: (next: LoadFault) => {
      fault = next
    },
    load: () => window.dispatchEvent(new Event('load')),
    runIdle: () => idle.splice(0).forEach(run => run()),
  }
}

describe('the service worker', () => {
  it('is registered when the page was loaded, eight seconds have passed and the browser is idle', async () => {
    const workers = new Workers()
    const { load, runIdle, received } = startWatch({ workers })
    await vi.advanceTimersByTimeAsync(20_000)
    runIdle()
    load()
    await vi.advanceTimersByTimeAsync(7999)
    runIdle()
    expect(workers.registered).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(workers.registered).toEqual([])
    runIdle()
    expect(workers.registered).toEqual(['/service-worker.js'])
    expect(received).toEqual([])
    workers.finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(received).toEqual([{ type: 'updates.stored' }])
  })

  it('is not registered by a page that was closed before', async () => {
    const workers = new Workers()
    const { load, runIdle, stop } = startWatch({ workers })
    load()
    await vi.advanceTimersByTimeAsync(8000)
    stop()
    runIdle()
    expect(workers.registered).toEqual([])
  })

  it('may have answered with an old page, and reports when another tab has loaded a new one', async () => {
    const workers = new Workers()
    const { load, runIdle, findFault, received, setFault } = startWatch({ workers, isControlled: true })
    load()
    await vi.advanceTimersByTimeAsync(8000)
    runIdle()
    expect(findFault).toHaveBeenCalledTimes(1)
    setFault('newVersion')
    workers.dispatchEvent(new Event('controllerchange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(received).toEqual([{ type: 'updates.found' }])
  })
})

describe('a new version', () => {
  it('is noted in the browser, and reported once it has replaced another one', async () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
    expect(['0.1.0', '0.1.0', '0.2.0', '0.2.0'].map(version => noteVersion(storage, version))).toEqual([
      false,
      false,
      true,
      false,
    ])
    const { load, runIdle, received } = startWatch({ isUpgraded: true })
    load()
    await vi.advanceTimersByTimeAsync(8000)
    expect(received).toEqual([])
    runIdle()
    await vi.advanceTimersByTimeAsync(0)
    expect(received).toEqual([{ type: 'updates.upgraded' }])
  })

  it('is looked for each hour while the page is visible', async () => {
    const { document, load, runIdle, findFault, received, setFault, stop } = startWatch()
    load()
    await vi.advanceTimersByTimeAsync(8000)
    runIdle()
    expect(findFault).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(HOUR)
    expect({ findFault: findFault.mock.calls.length, received }).toEqual({ findFault: 1, received: [] })
    setFault('newVersion')
    document.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(3 * HOUR)
    expect(findFault).toHaveBeenCalledTimes(1)
    document.visibilityState = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(0)
    expect(findFault.mock.calls.length).toBe(2)
    expect(received).toEqual([{ type: 'updates.found' }])
    stop()
    await vi.advanceTimersByTimeAsync(3 * HOUR)
    expect(findFault).toHaveBeenCalledTimes(2)
  })

  it('is loaded on command', () => {
    const { actor, reload } = startWatch()
    actor.send({ type: 'version.reload' })
    expect(reload).toHaveBeenCalledTimes(1)
  })
})
