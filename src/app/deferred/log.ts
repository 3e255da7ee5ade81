import { logSearch, type LogSearchDeps } from '../../actors/log-search/log-search.ts'
import { logMachine } from '../../machines/screens/log/log.machine.ts'

/** The machine of the log screen with its search. */
export const logGroup = ({ openSearch }: { readonly openSearch: LogSearchDeps['openThread'] }) => ({
  log: logMachine.provide({ actors: { logSearch: logSearch({ openThread: openSearch }) } }),
})
