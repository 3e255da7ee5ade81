import { FAILURE_QUERY, logQueryOfUnit } from '../../../folding/log/log-line.ts'
import { pathPart } from '../../../folding/shared/web-address.ts'

export const SEARCH_PARAM = 'q'
/** The time of the line that a link leads to. */
export const TIME_PARAM = 'at'

/** Path of a machine's log; with a unit's number, filtered to lines about that unit. */
export const logPath = (machine: string, unit?: unknown): string => withQuery(machine, logQueryOfUnit(unit))

/** Path of a machine's log, filtered to reasons why units failed. */
export const failureLogPath = (machine: string): string => withQuery(machine, FAILURE_QUERY)

/**
 * Path of one line in a machine's log: the newest one that was written until then, of those that match the pattern.
 * `at`: epoch milliseconds.
 */
export const lineLogPath = (machine: string, pattern: string, at: number): string => {
  const path = withQuery(machine, pattern === '' ? undefined : pattern)
  return Number.isNaN(new Date(at).getTime())
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${TIME_PARAM}=${new Date(at).toISOString().slice(0, 19)}Z`
}

/** The time in such a path, epoch milliseconds; undefined when there is none, or it is not a time. */
export const lineTimeOf = (params: URLSearchParams): number | undefined => {
  const text = params.get(TIME_PARAM) ?? ''
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const withQuery = (machine: string, query: string | undefined): string =>
  `/${pathPart(machine)}/log${query === undefined ? '' : `?${SEARCH_PARAM}=${pathPart(query)}`}`
