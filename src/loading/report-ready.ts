import type { WorkerLocks, WorkerReady } from './supervise-worker.ts'

/** Tells the page that this worker runs, and holds a lock by which the page notices that it does not any more. */
export function reportReady(locks: WorkerLocks, post: (message: WorkerReady) => void): void {
  const report = (lock: string | undefined): void => post({ type: 'worker.ready', lock })
  if (locks === undefined) {
    report(undefined)
    return
  }
  const name = `worker ${crypto.randomUUID()}`
  const holdForEver = (): Promise<never> => {
    report(name)
    return new Promise(() => undefined)
  }
  locks.request(name, holdForEver).catch(() => report(undefined))
}
