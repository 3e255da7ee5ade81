import { createHeap } from '../../host/heap.ts'
import { drain } from './drain.ts'
import type { Journal } from './journal.ts'

/** Runs later unless it is canceled before. `owner` and `what` are for the journal. */
type Task = {
  readonly at: number
  readonly order: number
  readonly owner: string
  readonly what: string
  run: (() => void) | undefined
}

/** Owns time and order: nothing in a simulated world happens outside a task of it. Times are epoch milliseconds. */
export type Scheduler = {
  readonly now: () => number
  /** Runs once `ms` have passed, after all tasks that are due before or were added earlier. Returns its cancellation. */
  readonly after: (ms: number, owner: string, what: string, run: () => void) => () => void
  /** Runs all tasks that are due until then; time is `until` afterwards. */
  readonly runUntil: (until: number) => void
  /** Tasks run so far. */
  readonly count: () => number
  /** The task at which it ended, since so many others ran at the same moment that they are an endless loop. */
  readonly endlessIn: () => string | undefined
}

/** Tasks of one moment that are an endless loop. */
const ENDLESS = 200_000

export function createScheduler(start: number, journal: Pick<Journal, 'note'>): Scheduler {
  const tasks = createHeap<Task>()
  let time = start
  let order = 0
  let count = 0
  let atOnce = 0
  let endlessIn: string | undefined

  return {
    now: () => time,
    after: (ms, owner, what, run) => {
      const task: Task = { at: time + Math.max(0, ms), order: order++, owner, what, run }
      tasks.add(task)
      return () => {
        task.run = undefined
      }
    },
    runUntil: until => {
      drain()
      for (let task = tasks.first(); task !== undefined && task.at <= until; task = tasks.first()) {
        tasks.takeFirst()
        const { run } = task
        if (run === undefined) continue
        task.run = undefined
        atOnce = task.at === time ? atOnce + 1 : 0
        if (atOnce > ENDLESS) {
          endlessIn = `${task.owner} ${task.what}`
          return
        }
        time = task.at
        count++
        journal.note(time, task.owner, task.what)
        run()
        drain()
      }
      time = until
    },
    count: () => count,
    endlessIn: () => endlessIn,
  }
}
