import type { LoadFault } from '../../folding/shared/load-fault.ts'
import { findPageFault } from '../../loading/load-code.ts'
import type { WorkerThread } from '../../loading/supervise-worker.ts'
import type { SearchFact } from '../../machines/screens/log/log.events.ts'
import type { LogSearchDeps } from './log-search.ts'

/** A searcher in a worker of its own. */
export function workerThread(
  openWorker: () => WorkerThread,
  findFault: () => Promise<LoadFault> = findPageFault,
): LogSearchDeps['openThread'] {
  return listen => {
    const worker = openWorker()
    let isStopped = false
    worker.addEventListener('message', (event: MessageEvent<SearchFact>) => listen(event.data))
    const fail = (event: Event): void => {
      event.preventDefault()
      worker.terminate()
      void findFault().then(fault => {
        if (!isStopped) listen({ type: 'search.failed', fault })
      })
    }
    worker.addEventListener('error', fail)
    worker.addEventListener('messageerror', fail)
    return {
      post: (command, transfer) => worker.postMessage(command, transfer),
      stop: () => {
        isStopped = true
        worker.terminate()
      },
    }
  }
}
