import type { Chance } from '../time/chance.ts'
import type { Scheduler } from '../time/scheduler.ts'

/**
 * The surroundings of one running program: a page, a worker, or a process of Node. When it ends, nothing of it runs any
 * more, as when a tab is closed or a process is killed.
 */
export type Realm = {
  readonly name: string
  readonly chance: Chance
  readonly isAlive: () => boolean
  /** Epoch milliseconds by the clock of its computer. */
  readonly now: () => number
  /** Epoch milliseconds by the clock of the world, which no fault changes. */
  readonly trueNow: () => number
  /** Runs a task of this realm, unless it ends before. Returns its cancellation. */
  readonly after: (ms: number, what: string, run: () => void) => () => void
  /** Notes that the program holds something, such as a timer, until it is released. */
  readonly hold: (what: string) => () => void
  /** What the program holds. */
  readonly held: () => readonly string[]
  /** Runs when the realm ends, unless it is taken back before. */
  readonly onEnd: (run: () => void) => () => void
  /** What is due while it is frozen runs when that ends, in its order: a computer that sleeps, or a page that a browser has put aside. */
  readonly setFrozen: (isFrozen: boolean) => void
  readonly isFrozen: () => boolean
  readonly end: () => void
  /** An error that nothing caught. */
  readonly fail: (error: unknown) => void
}

/** Thrown by what a process that was killed still calls: its code runs on until it waits. */
export class ProcessEnded extends Error {
  constructor() {
    super('The process has ended.')
  }
}

export type RealmOptions = {
  readonly name: string
  readonly scheduler: Pick<Scheduler, 'now' | 'after'>
  readonly chance: Chance
  /** Milliseconds by which the clock of the computer is ahead. */
  readonly ahead?: () => number
  readonly fail: (realm: string, error: unknown) => void
}

export function createRealm({ name, scheduler, chance, ahead = () => 0, fail }: RealmOptions): Realm {
  const held = new Set<{ readonly what: string }>()
  const endings = new Set<() => void>()
  let isAlive = true
  let isFrozen = false
  let put: (() => void)[] = []
  const attempt = (run: () => void): void => {
    if (!isAlive) return
    try {
      run()
    } catch (error) {
      fail(name, error)
    }
  }
  return {
    name,
    chance,
    isAlive: () => isAlive,
    now: () => scheduler.now() + ahead(),
    trueNow: scheduler.now,
    after: (ms, what, run) => {
      let isCanceled = false
      const cancel = scheduler.after(ms, name, what, () => {
        if (!isAlive) return
        if (isFrozen) {
          put.push(() => {
            if (!isCanceled) attempt(run)
          })
        } else attempt(run)
      })
      return () => {
        isCanceled = true
        cancel()
      }
    },
    setFrozen: frozen => {
      isFrozen = frozen
      if (frozen) return
      const due = put
      put = []
      for (const run of due) scheduler.after(0, name, 'thawed', run)
    },
    isFrozen: () => isFrozen,
    hold: what => {
      const entry = { what }
      held.add(entry)
      return () => void held.delete(entry)
    },
    held: () => [...held].map(({ what }) => what),
    onEnd: run => {
      endings.add(run)
      return () => void endings.delete(run)
    },
    end: () => {
      if (!isAlive) return
      isAlive = false
      for (const run of endings) run()
      held.clear()
    },
    fail: error => fail(name, error),
  }
}
