import type { Internet } from '../internet/internet.ts'
import { webSocketOf } from '../internet/web-socket.ts'
import { createCrypto } from '../crypto/subtle.ts'
import { abortSignalOf, browserTimers, dateOf, mathOf, performanceOf, type Throttle } from '../realms/clock.ts'
import type { InspectActors, Program } from '../realms/programs.ts'
import { createRealm, type Realm, type RealmOptions } from '../realms/realm.ts'
import { compression } from './compression.ts'
import type { Device } from './device.ts'
import { createTarget } from './events.ts'
import { fetchOf } from './fetch.ts'
import { framesOf } from './frame.ts'
import { idbClasses } from './indexed-db.ts'

export type TabOptions = {
  readonly device: Device
  readonly origin: string
  readonly internet: Internet
  /** A realm below this name. */
  readonly newRealm: (name: string) => RealmOptions
  readonly program: Program
  /** Contents of the page's meta tags, without `foldboard:`. */
  readonly settings: Readonly<Record<string, string>>
  /** By the name with which they are opened. */
  readonly workers: Readonly<Record<string, Program>>
  readonly crypto: Crypto
  /** Receives what all actors of the page do. */
  readonly inspectActors: InspectActors | undefined
}

/** An open page. */
export type Tab = {
  readonly realm: Realm
  /** What the program exports. */
  readonly exports: unknown
  readonly setHidden: (isHidden: boolean) => void
  readonly isHidden: () => boolean
  /** Puts the page aside with its workers, as browsers do with what is not in sight; nothing of it runs until it goes on. */
  readonly setAside: (isAside: boolean) => void
  /** When it went on after it had been put aside, as simulated time; undefined while it is, and -Infinity before. */
  readonly runsSince: () => number | undefined
  /** Tells the tab whether its device has a network now. */
  readonly tellNetwork: () => void
  /** Nothing that workers say arrives for so many milliseconds. */
  readonly setBusy: (ms: number) => void
  /** Ends the worker without a word, as browsers do when memory is short. */
  readonly killWorkers: () => void
  readonly workers: () => readonly Realm[]
  /** Ends the page at once. */
  readonly close: () => void
}

const FRAME = 16
const SECOND = 1000
const MINUTE = 60_000
/** Milliseconds after which timers of a hidden page run once a minute. */
const INTENSIVE = 5 * MINUTE

/** What pages and workers have in common. */
function commonGlobals(realm: Realm, { internet, origin, device, crypto }: TabOptions, throttle?: Throttle) {
  return {
    ...browserTimers(realm, throttle),
    ...compression,
    ...idbClasses,
    indexedDB: device.indexedDB(),
    Date: dateOf(realm),
    Math: mathOf(realm),
    performance: performanceOf(realm),
    crypto: createCrypto(crypto, realm.chance),
    fetch: fetchOf(realm, internet, origin),
    WebSocket: webSocketOf(realm, internet, origin),
    BroadcastChannel: device.channelOf(realm),
    MessageChannel: messageChannelOf(realm),
    AbortSignal: abortSignalOf(realm),
    console: consoleOf(realm),
  }
}

/** The product prints nothing on its console, unless something is wrong. */
function consoleOf(realm: Realm) {
  const fail = (...said: readonly unknown[]): void => realm.fail(new Error(`console: ${said.map(String).join(' ')}`))
  return { error: fail, warn: fail, log: fail, info: fail, debug: fail }
}

/** The class `MessageChannel`, as far as both ports are in one realm. */
function messageChannelOf(realm: Realm) {
  return class {
    readonly port1 = createPort()
    readonly port2 = createPort()
    constructor() {
      for (const [from, to] of [
        [this.port1, this.port2],
        [this.port2, this.port1],
      ] as const)
        from.postMessage = data => void realm.after(0, 'port', () => to.onmessage?.({ data }))
    }
  }
}

type Port = { onmessage: ((event: { readonly data: unknown }) => void) | null; postMessage: (data: unknown) => void }
function createPort(): Port {
  return { onmessage: null, postMessage: () => undefined }
}

/** The class `Worker` of a page. */
function workerOf(options: TabOptions, page: Realm, running: Set<Realm>, busyUntil: () => number) {
  return class SimulatedWorker extends EventTarget {
    #realm: Realm
    #receive: EventTarget

    constructor(name: string) {
      super()
      const { device, newRealm, workers } = options
      const program = workers[name]
      if (program === undefined) throw new Error(`There is no worker ${name}.`)
      const realm = createRealm(newRealm(`${page.name} ${name}`))
      const target = createTarget(realm, 'worker')
      const release = page.hold(`worker ${name}`)
      const unfollow = page.onEnd(() => realm.end())
      running.add(realm)
      realm.onEnd(() => {
        running.delete(realm)
        unfollow()
        release()
      })
      this.#realm = realm
      this.#receive = target
      realm.after(20, 'starts', () =>
        program.run({
          ...commonGlobals(realm, options),
          ...target,
          name,
          navigator: { locks: device.locks.of(realm), language: 'en-US', languages: ['en-US'] },
          location: { origin: options.origin, href: `${options.origin}/` },
          postMessage: (data: unknown) => {
            const copy: unknown = structuredClone(data)
            page.after(Math.max(0, busyUntil() - page.trueNow()), `from ${name}`, () => {
              if (realm.isAlive()) this.dispatchEvent(Object.assign(new Event('message'), { data: copy }))
            })
          },
        }),
      )
    }

    postMessage(data: unknown): void {
      const copy: unknown = structuredClone(data)
      this.#realm.after(0, 'from page', () =>
        this.#receive.dispatchEvent(Object.assign(new Event('message'), { data: copy })),
      )
    }

    terminate(): void {
      this.#realm.end()
    }
  }
}

/** When timers of a page run: those of hidden ones at whole seconds, and later at whole minutes. */
function throttleOf(realm: Realm, hiddenSince: () => number | undefined): Throttle {
  return ms => {
    const since = hiddenSince()
    if (since === undefined) return ms
    const at = realm.trueNow()
    const step = at - since > INTENSIVE ? MINUTE : SECOND
    return step * Math.ceil((at + ms) / step) - at
  }
}

/** Addresses of files are not kept, and have no random part. */
class SimulatedUrl extends URL {
  static override createObjectURL = (): string => 'blob:simulated'
  static override revokeObjectURL = (): void => undefined
}

/** `requestAnimationFrame`: all callbacks of a frame in one task, none while the page is hidden. */
function createFrames(realm: Realm, isHidden: () => boolean) {
  let waiting = new Map<number, FrameRequestCallback>()
  let isScheduled = false
  let count = 0
  const draw = (): void => {
    isScheduled = false
    if (isHidden()) return
    const due = waiting
    waiting = new Map()
    for (const [, run] of due) run(realm.trueNow())
  }
  const schedule = (): void => {
    if (isScheduled || isHidden() || waiting.size === 0) return
    isScheduled = true
    realm.after(FRAME - (realm.trueNow() % FRAME), 'frame', draw)
  }
  return {
    schedule,
    requestAnimationFrame: (run: FrameRequestCallback): number => {
      waiting.set(++count, run)
      schedule()
      return count
    },
    cancelAnimationFrame: (id: number): void => void waiting.delete(id),
  }
}

/** The meta tag with a setting; pages look for no other elements without their screens. */
function metaTag(settings: Readonly<Record<string, string>>, selector: string) {
  const content = settings[/^meta\[name="foldboard:(.*)"\]$/.exec(selector)?.[1] ?? '']
  return content === undefined ? null : { getAttribute: () => content }
}

export function openTab(options: TabOptions): Tab {
  const { device, origin, newRealm, program } = options
  const realm = createRealm(newRealm(device.name))
  const running = new Set<Realm>()
  let hiddenSince: number | undefined
  let busyUntil = 0
  const isHidden = (): boolean => hiddenSince !== undefined
  const frames = createFrames(realm, isHidden)
  const common = commonGlobals(
    realm,
    options,
    throttleOf(realm, () => hiddenSince),
  )
  const document = {
    ...createTarget(realm, 'document'),
    get visibilityState() {
      return isHidden() ? 'hidden' : 'visible'
    },
    get hidden() {
      return isHidden()
    },
    hasFocus: () => !isHidden(),
    querySelector: (selector: string) => metaTag(options.settings, selector),
    querySelectorAll: () => [],
    ...framesOf(realm, common.fetch),
  }
  const window = {
    ...common,
    ...createTarget(realm, 'window'),
    requestAnimationFrame: frames.requestAnimationFrame,
    cancelAnimationFrame: frames.cancelAnimationFrame,
    requestIdleCallback: (run: () => void) => common.setTimeout(run, 1),
    cancelIdleCallback: common.clearTimeout,
    URL: SimulatedUrl,
    isSecureContext: true,
    location: { origin, href: `${origin}/`, host: new URL(origin).host, assign: () => undefined },
    localStorage: device.openStorage(realm, key =>
      window.dispatchEvent(Object.assign(new Event('storage'), { key, storageArea: window.localStorage })),
    ),
    navigator: {
      locks: device.locks.of(realm),
      language: 'en-US',
      languages: ['en-US'],
      get onLine() {
        return device.isOnline
      },
      userAgent: 'simulated',
    },
    document,
    Worker: workerOf(options, realm, running, () => busyUntil),
  }
  let runsSince: number | undefined = -Infinity
  const exports = program.run({ ...window, window, reportError: realm.fail, inspectActors: options.inspectActors })
  return {
    realm,
    exports,
    isHidden,
    setHidden: hidden => {
      if (hidden === isHidden()) return
      hiddenSince = hidden ? realm.trueNow() : undefined
      document.dispatchEvent(new Event('visibilitychange'))
      frames.schedule()
    },
    setAside: isAside => {
      if (isAside === (runsSince === undefined)) return
      runsSince = isAside ? undefined : realm.trueNow()
      if (isAside) document.dispatchEvent(new Event('freeze'))
      for (const part of [realm, ...running]) part.setFrozen(isAside)
      if (!isAside) document.dispatchEvent(new Event('resume'))
    },
    runsSince: () => runsSince,
    tellNetwork: () => void window.dispatchEvent(new Event(device.isOnline ? 'online' : 'offline')),
    setBusy: ms => {
      busyUntil = realm.trueNow() + ms
    },
    killWorkers: () => {
      for (const worker of [...running]) worker.end()
    },
    workers: () => [...running],
    close: () => {
      for (const worker of [...running]) worker.end()
      realm.end()
    },
  }
}
