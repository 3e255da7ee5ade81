import { logSearch, type LogSearchDeps } from '../../actors/log-search/log-search.ts'
import { logMachine } from '../../machines/screens/log/log.machine.ts'

/** The machine of the log screen, with its effects. */
export function logMachines(deps: LogSearchDeps) {
  return {
    log: logMachine.provide({ actors: { logSearch: logSearch(deps) } }),
  }
}
