import type { Realm } from './realm.ts'

/** `Date` by the clock of a realm. */
export function dateOf({ now }: Realm): DateConstructor {
  return new Proxy(Date, {
    construct: (target, parameters, type): object =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, type) as object,
    apply: () => new Date(now()).toString(),
    get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
  })
}

/** It goes on when the clock is set. */
export function performanceOf({ now, trueNow }: Realm) {
  const timeOrigin = now()
  const began = trueNow()
  return { timeOrigin, now: () => trueNow() - began, mark: () => undefined, measure: () => undefined }
}

export function mathOf({ chance }: Realm): object {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(Math), random: { value: chance.roll } })
}

type Run = (...parameters: readonly unknown[]) => unknown

/** When a timer that is due in `ms` really runs: browsers delay those of hidden pages. */
export type Throttle = (ms: number) => number

export type BrowserTimers = {
  readonly setTimeout: (run: Run, ms?: number, ...parameters: readonly unknown[]) => number
  readonly clearTimeout: (id: unknown) => void
  readonly setInterval: (run: Run, ms?: number, ...parameters: readonly unknown[]) => number
  readonly clearInterval: (id: unknown) => void
}

/** Milliseconds: what is longer runs at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Whole milliseconds as browsers and Node count them. */
function wholeOf(ms: number, realm: Realm): number {
  if (ms <= LONGEST_TIMER) return Math.trunc(ms)
  realm.fail(new Error(`A timer of ${ms} ms runs at once.`))
  return 0
}

/** Timers as in a browser: their ids are numbers. */
export function browserTimers(realm: Realm, throttle: Throttle = ms => ms): BrowserTimers {
  const running = new Map<unknown, () => void>()
  let count = 0

  const clear = (id: unknown): void => {
    running.get(id)?.()
    running.delete(id)
  }

  const begin = (what: string, ms: number, run: (id: number, release: () => void) => void): number => {
    const id = ++count
    const release = realm.hold(what)
    // A real clock goes on while a timer of a fraction of a millisecond waits.
    const least = ms > 0 ? 1 : 0
    const cancel = realm.after(throttle(Math.max(least, wholeOf(ms, realm))), what, () => run(id, release))
    running.set(id, () => {
      cancel()
      release()
    })
    return id
  }

  return {
    setTimeout: (run, ms = 0, ...parameters) =>
      begin('timeout', ms, (id, release) => {
        running.delete(id)
        release()
        run(...parameters)
      }),
    clearTimeout: clear,
    setInterval: (run, ms = 0, ...parameters) => {
      const repeat = (id: number, release: () => void): void => {
        const cancel = realm.after(throttle(Math.max(1, wholeOf(ms, realm))), 'interval', () => repeat(id, release))
        running.set(id, () => {
          cancel()
          release()
        })
        run(...parameters)
      }
      return begin('interval', ms, repeat)
    },
    clearInterval: clear,
  }
}

/** A timer of Node. */
class NodeTimer {
  #start: () => () => void
  #cancel: () => void

  constructor(start: () => () => void) {
    this.#start = start
    this.#cancel = start()
  }

  refresh(): this {
    this.#cancel()
    this.#cancel = this.#start()
    return this
  }

  close(): void {
    this.#cancel()
  }

  ref = (): this => this
  unref = (): this => this
  hasRef = (): boolean => true
}

export function nodeTimers(realm: Realm) {
  const clear = (timer: unknown): void => {
    if (timer instanceof NodeTimer) timer.close()
  }
  const setTimer = (run: Run, ms = 1, ...parameters: readonly unknown[]) =>
    new NodeTimer(() => realm.after(Math.max(1, wholeOf(ms, realm)), 'timeout', () => void run(...parameters)))
  const setInterval = (run: Run, ms = 1, ...parameters: readonly unknown[]) =>
    new NodeTimer(() => {
      let cancel = (): void => undefined
      const next = (): void => {
        cancel = realm.after(Math.max(1, wholeOf(ms, realm)), 'interval', () => {
          next()
          run(...parameters)
        })
      }
      next()
      return () => cancel()
    })
  const setImmediate = (run: Run, ...parameters: readonly unknown[]) =>
    new NodeTimer(() => realm.after(0, 'immediate', () => void run(...parameters)))
  return {
    setTimeout: setTimer,
    clearTimeout: clear,
    setInterval,
    clearInterval: clear,
    setImmediate,
    clearImmediate: clear,
  }
}

/** `AbortSignal`, whose timeouts follow the clock of the realm. */
export function abortSignalOf(realm: Realm): typeof AbortSignal {
  return new Proxy(AbortSignal, {
    get: (target, key): unknown =>
      key === 'timeout'
        ? (ms: number): AbortSignal => {
            const controller = new AbortController()
            realm.after(ms, 'abort timeout', () =>
              controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
            )
            return controller.signal
          }
        : Reflect.get(target, key),
  })
}
