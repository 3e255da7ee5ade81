import {
  superviseWorker,
  type WorkerCondition,
  type WorkerLocks,
  type WorkerThread,
} from '../../loading/supervise-worker.ts'
import { findPageFault } from '../../loading/load-code.ts'
import type { Batch, HubCommand, WirePort } from './hub.types.ts'

/** A hub in a worker, which is restarted when it crashes or is ended. */
export function workerPort(openWorker: () => WorkerThread, locks: WorkerLocks): WirePort {
  let listen: (batch: Batch) => void = () => undefined
  let follow: (condition: WorkerCondition) => void = () => undefined
  const worker = superviseWorker<HubCommand, Batch>(openWorker, {
    listen: batch => listen(batch),
    follow: condition => follow(condition),
    findFault: findPageFault,
    locks,
  })
  return {
    post: worker.post,
    listen: listener => (listen = listener),
    follow: listener => {
      follow = listener
      if (worker.isRunning()) listener({ type: 'started' })
    },
    restart: worker.restart,
    stop: worker.stop,
  }
}
