/*
 * Node runs all timers that are due, and all immediates that were planned, in one turn of the event loop. What is done for thousands of
 * clients each second would come together, and nothing be answered meanwhile: it has turns of its own here. The parts of a longer work
 * are short, and need none.
 */

const waiting: (() => void)[] = []

function runFirst(): void {
  if (waiting.length > 1) setImmediate(runFirst)
  waiting.shift()?.()
}

/** Runs it after what is waiting already, in a turn of the event loop of its own: messages are handled before it. */
export function inOwnTurn(work: () => void): void {
  waiting.push(work)
  if (waiting.length === 1) setImmediate(runFirst)
}

/** Lets messages of clients and pages be handled: SQLite works on the thread of the server. */
export function pauseForMessages(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}

/** Milliseconds of work after which messages are handled. */
const MOST_WORK = 10

/**
 * Between parts of one longer work: lets messages be handled when it has taken some milliseconds since it last did. A short work that comes
 * many times in a row never pauses by that: it calls `pauseForMessages`.
 */
export function createPauses(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < MOST_WORK) return
    await pauseForMessages()
    began = performance.now()
  }
}

/**
 * Runs `work` each time these milliseconds have passed, as `setInterval` does, but in a turn of its own, and not while the last run goes
 * on. `work` never rejects. Returns what ends it.
 */
export function every(ms: number, work: () => void | Promise<void>): () => void {
  let [isRunning, isStopped] = [false, false]
  const run = async (): Promise<void> => {
    if (!isStopped) await work()
    isRunning = false
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    inOwnTurn(() => void run())
  }, ms)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
