import { FAILURE_QUERY, logQueryOfUnit } from '../../../folding/log/log-line.ts'
import { pathPart } from '../../../folding/shared/web-address.ts'

/** Path of a machine's log; with a unit's number, filtered to lines about that unit. */
export const logPath = (machine: string, unit?: unknown): string => withQuery(machine, logQueryOfUnit(unit))

/** Path of a machine's log, filtered to reasons why units failed. */
export const failureLogPath = (machine: string): string => withQuery(machine, FAILURE_QUERY)

/** Path of a machine's log, filtered to lines with these words. */
export const wordsLogPath = (machine: string, words: string): string =>
  withQuery(machine, words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

const withQuery = (machine: string, query: string | undefined): string =>
  `/${pathPart(machine)}/log${query === undefined ? '' : `?q=${pathPart(query)}`}`
