import { keepWorker, type WorkerCondition } from '../../loading/keep-worker.ts'
import { findPageFault } from '../../loading/load-code.ts'
import type { Batch, HubCommand, WirePort } from './hub.types.ts'

/** A hub in a worker of its own, which is started again when it is lost. */
export const workerPort = (openWorker: () => Worker): WirePort => {
  let listen: (batch: Batch) => void = () => undefined
  let follow: (condition: WorkerCondition) => void = () => undefined
  const worker = keepWorker<HubCommand, Batch>(openWorker, {
    listen: batch => listen(batch),
    follow: condition => follow(condition),
    findFault: findPageFault,
  })
  return {
    post: worker.post,
    listen: listener => (listen = listener),
    follow: listener => (follow = listener),
    restart: worker.restart,
    stop: worker.stop,
  }
}
