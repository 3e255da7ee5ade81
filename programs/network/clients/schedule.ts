import { createHeap } from '../../host/heap.ts'
import type { Clock, Schedule } from './types.ts'

type Entry = { readonly at: number; readonly order: number; task: (() => void) | undefined }

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
  const heap = createHeap<Entry>()
  let order = 0
  let canceledCount = 0
  let timer: { readonly at: number; readonly cancel: () => void } | undefined
  let running = false

  const arm = (): void => {
    const first = heap.first()
    if (first === undefined || running || (timer !== undefined && timer.at <= first.at)) return
    timer?.cancel()
    const wait = Math.min(MAX_TIMER_MS, Math.max(0, first.at - clock.now()))
    timer = { at: first.at, cancel: clock.setTimer(runDue, wait) }
  }

  const runDue = (): void => {
    timer = undefined
    running = true
    try {
      for (let first = heap.first(); first !== undefined && first.at <= clock.now(); first = heap.first()) {
        heap.takeFirst()
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

  return {
    now: () => clock.now(),
    at: (at, task) => {
      const entry: Entry = { at, order: order++, task }
      heap.add(entry)
      arm()
      return () => {
        if (entry.task === undefined) return
        entry.task = undefined
        canceledCount++
        if (canceledCount <= 1000 || canceledCount <= heap.size() / 2) return
        heap.keepOnly(({ task: pending }) => pending !== undefined)
        canceledCount = 0
      }
    },
    stop: () => {
      heap.keepOnly(() => false)
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
