import type { WorkerLocks, WorkerNews } from './supervise-worker.ts'

/** Tells the page that this worker runs, and then of a lock by which the page notices that it does not any more. */
export function reportReady(locks: WorkerLocks, post: (message: WorkerNews) => void): void {
  post({ type: 'worker.ready' })
  const lock = `worker ${crypto.randomUUID()}`
  const holdForEver = (): Promise<never> => {
    post({ type: 'worker.locked', lock })
    return new Promise(() => undefined)
  }
  // Without a lock, the page notices only what browsers report.
  locks?.request(lock, holdForEver).catch(() => undefined)
}
