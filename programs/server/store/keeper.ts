import { LeaseLost } from './database.ts'
import { createPauses } from '../event-loop.ts'

export type KeeperDeps = {
  readonly onError: (error: unknown) => void
  /** How many writes may wait; the oldest are given up. */
  readonly most: number
}

/** Writes that must not be lost while the database takes none, such as on a full disk. One runs at a time. */
export type Keeper = {
  /**
   * Tries a write now, after those that wait, and again until it works. A later one under the same key takes its place.
   * Resolves when it was tried, or was not since one before it failed.
   */
  readonly keep: (key: string, write: () => Promise<unknown>) => Promise<void>
  /**
   * Runs another write before those that are kept, except after many such, and only now: rejects if it fails. `key`: the waiting
   * write whose place it takes.
   */
  readonly inTurn: <Result>(write: () => Promise<Result>, key?: string) => Promise<Result>
  /** Resolves when no kept write waits any more, or one failed. */
  readonly tried: () => Promise<void>
  /** Resolves when what waits was tried once more, until some of it failed. What is left then is given up. */
  readonly stop: () => Promise<void>
}

/** `onTried`: of the write, and of those whose place it took. */
type Waiting = { readonly write: () => Promise<unknown>; readonly onTried: (() => void)[] }

function endTrial({ onTried }: Waiting): void {
  for (const resolve of onTried.splice(0)) resolve()
}

/** Milliseconds between two attempts. */
const RETRY_MS = 5000
/** Writes that fail when it is stopped, before the others are given up. */
const MOST_FAILURES_AT_END = 3
/** Writes in turn, after which one that is kept is tried. */
const MOST_IN_ROW = 10

export function createKeeper({ onError, most }: KeeperDeps): Keeper {
  const waiting = new Map<string, Waiting>()
  const asked: (() => Promise<void>)[] = []
  const onAllTried: (() => void)[] = []
  /** They are tried after the others: only they may be wrong. */
  const failed = new Set<string>()
  let work = Promise.resolve()
  let [isWorking, isDue, isStopped] = [false, false, false]
  let running: Waiting | undefined
  let retry: NodeJS.Timeout | undefined

  const remove = (key: string): void => {
    const entry = waiting.get(key)
    if (entry !== undefined) endTrial(entry)
    waiting.delete(key)
  }
  const nextKept = (): readonly [string, Waiting] | undefined => {
    if (!isDue) return undefined
    for (const entry of waiting) if (!failed.has(entry[0])) return entry
    return isStopped ? undefined : waiting.entries().next().value
  }
  const writeKept = async ([key, entry]: readonly [string, Waiting]): Promise<void> => {
    running = entry
    try {
      await entry.write()
      failed.delete(key)
      if (waiting.get(key) === entry) waiting.delete(key)
    } catch (error) {
      failed.add(key)
      const isLost = error instanceof LeaseLost
      if (!isLost || !isStopped) onError(error)
      isDue = isStopped && failed.size < MOST_FAILURES_AT_END
      if (!isDue || isLost) for (const other of waiting.values()) endTrial(other)
      // Another server has this to do by now, and may have written something newer.
      if (isLost) waiting.clear()
      if (!isStopped && waiting.size > 0) retry = setTimeout(begin, RETRY_MS)
    }
    running = undefined
    endTrial(entry)
  }
  const workThrough = async (): Promise<void> => {
    const pause = createPauses()
    for (let inRow = 0; ;) {
      const kept = nextKept()
      if (kept === undefined) for (const resolve of onAllTried.splice(0)) resolve()
      const first = kept === undefined || inRow < MOST_IN_ROW ? asked.shift() : undefined
      if (first !== undefined) {
        inRow++
        await first()
      } else if (kept !== undefined) {
        inRow = 0
        await writeKept(kept)
      } else break
      await pause()
    }
    if (waiting.size === 0) failed.clear()
    isWorking = false
  }
  const startWork = (): void => {
    if (isWorking) return
    isWorking = true
    work = work.then(workThrough)
  }
  const begin = (): void => {
    clearTimeout(retry)
    isDue = true
    startWork()
  }

  return {
    keep: (key, write) =>
      new Promise(resolve => {
        const before = waiting.get(key)
        const onTried = before === undefined || before === running ? [] : before.onTried
        onTried.push(resolve)
        waiting.delete(key)
        waiting.set(key, { write, onTried })
        for (const oldest of waiting.keys()) {
          if (waiting.size <= most) break
          remove(oldest)
          onError(new Error('Too many writes wait for the database: the oldest one is given up.'))
        }
        begin()
      }),
    inTurn: (write, key) =>
      new Promise(resolve => {
        asked.push(async () => {
          const replaced = key === undefined ? undefined : waiting.get(key)
          const written = Promise.resolve()
            .then(write)
            .then(result => {
              if (key !== undefined && waiting.get(key) === replaced) remove(key)
              return result
            })
          resolve(written)
          await written.catch(() => undefined)
        })
        startWork()
      }),
    tried: () =>
      new Promise(resolve => {
        onAllTried.push(resolve)
        startWork()
      }),
    stop: async () => {
      isStopped = true
      failed.clear()
      begin()
      await work
    },
  }
}
