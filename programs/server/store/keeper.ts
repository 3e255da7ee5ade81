import { createTurns } from '../../../src/folding/shared/turns.ts'
import { LeaseLost } from './database.ts'
import { createPauses } from './rows.ts'

export type KeeperDeps = {
  readonly onError: (error: unknown) => void
  /** How many writes may wait; the oldest are given up. */
  readonly most: number
}

/** Writes that must not be lost while the database takes none, such as on a full disk. */
export type Keeper = {
  /**
   * Tries a write now, after those that wait, and again until it works. A later one under the same key takes its place.
   * Resolves when it was tried.
   */
  readonly keep: (key: string, write: () => Promise<unknown>) => Promise<void>
  /**
   * Runs another write between those that are kept, and only now: rejects if it fails. `key`: the waiting write whose place
   * it takes.
   */
  readonly inTurn: <Result>(write: () => Promise<Result>, key?: string) => Promise<Result>
  /** Resolves when what runs is over. What still waits is given up. */
  readonly stop: () => Promise<void>
}

/** Milliseconds between two attempts. */
const RETRY_MS = 5000

export function createKeeper({ onError, most }: KeeperDeps): Keeper {
  const waiting = new Map<string, () => Promise<unknown>>()
  const inTurn = createTurns()
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  /** They are tried after the others: only they may be wrong. */
  const failed = new Set<string>()

  const writeAll = async (): Promise<void> => {
    clearTimeout(retry)
    const isFailed = ([key]: readonly [string, unknown]): boolean => failed.has(key)
    const entries = [...waiting]
    const pause = createPauses()
    for (const [key, write] of [...entries.filter(entry => !isFailed(entry)), ...entries.filter(isFailed)]) {
      if (waiting.get(key) !== write) continue
      try {
        await write()
        failed.delete(key)
        if (waiting.get(key) === write) waiting.delete(key)
        await pause()
      } catch (error) {
        failed.add(key)
        onError(error)
        // Another server has this to do by now, and may have written something newer.
        if (error instanceof LeaseLost) waiting.clear()
        if (!isStopped && waiting.size > 0) retry = setTimeout(() => void writeLater(), RETRY_MS)
        return
      }
    }
    failed.clear()
  }
  const writeLater = (): Promise<void> => inTurn(writeAll)

  return {
    keep: (key, write) => {
      waiting.delete(key)
      // A function of its own: the same write may be asked for again while it runs.
      waiting.set(key, () => write())
      for (const oldest of waiting.keys()) {
        if (waiting.size <= most) break
        waiting.delete(oldest)
        onError(new Error('Too many writes wait for the database: the oldest one is given up.'))
      }
      return writeLater()
    },
    inTurn: (write, key) =>
      inTurn(async () => {
        const replaced = key === undefined ? undefined : waiting.get(key)
        const result = await write()
        if (key !== undefined && waiting.get(key) === replaced) waiting.delete(key)
        return result
      }),
    stop: async () => {
      isStopped = true
      clearTimeout(retry)
      await inTurn(() => undefined)
    },
  }
}
