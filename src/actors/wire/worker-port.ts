import type { Batch, WirePort } from './hub.types.ts'

/** A hub in a worker of its own. */
export const workerPort = (worker: Worker): WirePort => ({
  post: command => worker.postMessage(command),
  listen: listener => worker.addEventListener('message', (event: MessageEvent<Batch>) => listener(event.data)),
  stop: () => worker.terminate(),
})
