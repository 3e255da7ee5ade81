import type { Clock, Schedule } from './types.ts'

type Entry = { readonly at: number; readonly order: number; task: (() => void) | undefined }

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

function siftDown(heap: Entry[], start: number): void {
  const moved = heap[start]
  if (moved === undefined) return
  let index = start
  for (;;) {
    const left = heap[2 * index + 1]
    const right = heap[2 * index + 2]
    if (left === undefined) break
    const takesRight = right !== undefined && isBefore(right, left)
    const child = takesRight ? right : left
    if (!isBefore(child, moved)) break
    heap[index] = child
    index = 2 * index + (takesRight ? 2 : 1)
  }
  heap[index] = moved
}

function siftUp(heap: Entry[], start: number): void {
  const moved = heap[start]
  if (moved === undefined) return
  let index = start
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(moved, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = moved
}

/** Upper limit of one timer; Node's overflow at 2^31 ms. */
const MAX_TIMER_MS = 3_600_000

function rethrow(error: unknown): void {
  throw error
}

/**
 * A scheduler with one heap of tasks for all clients and one timer, for the earliest. Tasks of the same time run in the
 * order in which they were added. Errors go to `onError` and do not stop other tasks.
 */
export function createSchedule(clock: Clock, onError: (error: unknown) => void = rethrow): Schedule {
  const heap: Entry[] = []
  let order = 0
  let canceledCount = 0
  let timer: { readonly at: number; readonly cancel: () => void } | undefined
  let running = false

  const takeFirst = (): void => {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    siftDown(heap, 0)
  }

  const arm = (): void => {
    const first = heap[0]
    if (first === undefined || running || (timer !== undefined && timer.at <= first.at)) return
    timer?.cancel()
    const wait = Math.min(MAX_TIMER_MS, Math.max(0, first.at - clock.now()))
    timer = { at: first.at, cancel: clock.setTimer(runDue, wait) }
  }

  const runDue = (): void => {
    timer = undefined
    running = true
    try {
      for (let first = heap[0]; first !== undefined && first.at <= clock.now(); first = heap[0]) {
        takeFirst()
        const { task } = first
        first.task = undefined
        if (task === undefined) canceledCount--
        else run(task)
      }
    } finally {
      running = false
      arm()
    }
  }

  const run = (task: () => void): void => {
    try {
      task()
    } catch (error) {
      onError(error)
    }
  }

  const removeCanceled = (): void => {
    const pending = heap.filter(entry => entry.task !== undefined).sort((a, b) => (isBefore(a, b) ? -1 : 1))
    heap.splice(0, heap.length, ...pending)
    canceledCount = 0
  }

  return {
    now: () => clock.now(),
    at: (at, task) => {
      const entry: Entry = { at, order: order++, task }
      heap.push(entry)
      siftUp(heap, heap.length - 1)
      arm()
      return () => {
        if (entry.task === undefined) return
        entry.task = undefined
        canceledCount++
        if (canceledCount > 1000 && canceledCount > heap.length / 2) removeCanceled()
      }
    },
    stop: () => {
      heap.length = 0
      timer?.cancel()
      timer = undefined
    },
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (task, ms) => {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
