import { FAILURE_QUERY, logQueryOfUnit } from '../../../folding/log/log-line.ts'
import { pathPart } from '../../../folding/shared/web-address.ts'

/** The address of a machine's log; with a unit's number, of what it says about that unit and about no other. */
export const logPath = (machine: string, unit?: unknown): string => withQuery(machine, logQueryOfUnit(unit))

/** The address of what a machine's log says about why units failed. */
export const failureLogPath = (machine: string): string => withQuery(machine, FAILURE_QUERY)

const withQuery = (machine: string, query: string | undefined): string =>
  `/${pathPart(machine)}/log${query === undefined ? '' : `?q=${pathPart(query)}`}`
