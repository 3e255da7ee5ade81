import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * Counts the timers of a page. Page and network run in one process: an AsyncLocalStorage tells their timers apart, through
 * promises, timers and sockets.
 */
type Owner = { readonly timers: Map<unknown, string> }

const owners = new AsyncLocalStorage<Owner>()

/** Node keeps HTTP connections alive with timers of its own. */
const NODES_OWN = 'node:internal/deps/undici'

/** Called once per process. Timers without an owner are not counted. */
const watchTimers = (): void => {
  const {
    setTimeout: startTimeout,
    setInterval: startInterval,
    clearTimeout: endTimeout,
    clearInterval: endInterval,
  } = globalThis
  const kept = new WeakMap<object, Owner>()
  const keep = <Timer extends object>(timer: Timer, owner: Owner | undefined): Timer => {
    const { stack = '' } = new Error('started here')
    if (owner === undefined || stack.includes(NODES_OWN)) return timer
    owner.timers.set(timer, stack)
    kept.set(timer, owner)
    return timer
  }
  const drop = (timer: unknown): void => {
    if (typeof timer === 'object' && timer !== null) kept.get(timer)?.timers.delete(timer)
  }
  globalThis.setTimeout = Object.assign(
    (run: (...parameters: unknown[]) => void, ms?: number, ...parameters: unknown[]) => {
      const timer: NodeJS.Timeout = startTimeout(() => {
        drop(timer)
        run(...parameters)
      }, ms)
      return keep(timer, owners.getStore())
    },
    startTimeout,
  ) as typeof setTimeout
  globalThis.setInterval = ((run: (...parameters: unknown[]) => void, ms?: number, ...parameters: unknown[]) =>
    keep(startInterval(run, ms, ...parameters), owners.getStore())) as typeof setInterval
  globalThis.clearTimeout = (timer: Parameters<typeof clearTimeout>[0]) => {
    drop(timer)
    endTimeout(timer)
  }
  globalThis.clearInterval = (timer: Parameters<typeof clearInterval>[0]) => {
    drop(timer)
    endInterval(timer)
  }
}

let isWatching = false

export type TimerWatch = {
  /** Counts timers that are started by `run`, also later. */
  readonly within: <Result>(run: () => Result) => Result
  /** Runs code of the network or the test, whose timers are not counted. */
  readonly outside: <Result>(run: () => Result) => Result
  /** Stack traces of the starts of timers that still run. */
  readonly running: () => readonly string[]
}

export const createTimerWatch = (): TimerWatch => {
  if (!isWatching) watchTimers()
  isWatching = true
  const owner: Owner = { timers: new Map() }
  return {
    within: run => owners.run(owner, run),
    outside: run => owners.exit(run),
    running: () => [...owner.timers.values()],
  }
}
