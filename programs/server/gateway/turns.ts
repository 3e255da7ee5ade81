/** Work that may wait, in turns. */
export type Turns = {
  /** Runs it after the wait, in the order in which it was added. Returns what cancels it. */
  readonly add: (run: () => void) => () => void
}

export type TurnsDeps = {
  /** Milliseconds until work begins at the earliest. */
  readonly wait: number
  /** Milliseconds of work after which what has arrived meanwhile is handled. */
  readonly budget: number
  /** Milliseconds until the rest goes on; without it at once, when that is handled. */
  readonly rest?: number
  /** A clock in milliseconds, never set back. */
  readonly elapsed: () => number
}

type Task = { readonly due: number; run: (() => void) | undefined }

/**
 * Thousands of clients report at the same time, above all when something took long: their reports are taken a few at a
 * time, so that messages of clients and pages come between.
 */
export function createTurns({ wait, budget, rest = 0, elapsed }: TurnsDeps): Turns {
  let tasks: Task[] = []
  let first = 0
  let isPlanned = false

  const work = (): void => {
    isPlanned = false
    const until = elapsed() + budget
    for (let task = tasks[first]; task !== undefined && task.due <= elapsed(); task = tasks[first]) {
      first++
      const { run } = task
      task.run = undefined
      run?.()
      if (elapsed() >= until) break
    }
    if (first === tasks.length) {
      tasks = []
      first = 0
    }
    plan(rest)
  }
  const plan = (least: number): void => {
    const next = tasks[first]
    if (next === undefined || isPlanned) return
    isPlanned = true
    // What was done is not kept while the others wait.
    tasks = tasks.slice(first)
    first = 0
    const left = Math.max(least, next.due - elapsed())
    if (left > 0) setTimeout(work, left)
    else setImmediate(work)
  }

  return {
    add: run => {
      const task: Task = { due: elapsed() + wait, run }
      tasks.push(task)
      plan(0)
      return () => {
        task.run = undefined
      }
    },
  }
}
