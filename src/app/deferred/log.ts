import { logSearch, workerThread } from '../../actors/log-search/log-search.ts'
import type { WorkerThread } from '../../loading/supervise-worker.ts'
import { logMachine } from '../../machines/screens/log/log.machine.ts'

/** The machine of the log with its effects. */
export const logMachines = (openSearchWorker: () => WorkerThread) => ({
  log: logMachine.provide({ actors: { logSearch: logSearch({ openThread: workerThread(openSearchWorker) }) } }),
})
