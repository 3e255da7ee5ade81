import { t } from '@lingui/core/macro'
import { FAILURE_QUERY, logQueryOfUnit } from '../../../folding/log/log-line.ts'
import { pathPart } from '../../../folding/address/web-address.ts'

export const SEARCH_PARAM = 'q'
/** The time of the line that a link leads to. */
export const TIME_PARAM = 'at'

/** Path of a client's log; with a unit's number, filtered to lines about that unit. `at`: see `lineLogPath`. */
export function logPath(client: string, unit?: unknown, at?: number): string {
  return lineLogPath(client, logQueryOfUnit(unit) ?? '', at)
}

/** Path of a client's log, filtered to reasons why units failed. `at`: see `lineLogPath`. */
export function failureLogPath(client: string, at?: number): string {
  return lineLogPath(client, FAILURE_QUERY, at)
}

/**
 * Path of one line in a client's log: the newest one that was written until `at`, of those that match the pattern.
 * `at`: epoch milliseconds; without it, of all that match.
 */
export function lineLogPath(client: string, pattern: string, at = Number.NaN): string {
  const time = Number.isNaN(new Date(at).getTime()) ? [] : [`${TIME_PARAM}=${new Date(at).toISOString().slice(0, 19)}Z`]
  const params = [...(pattern === '' ? [] : [`${SEARCH_PARAM}=${pathPart(pattern)}`]), ...time]
  return `/${pathPart(client)}/log${params.length === 0 ? '' : `?${params.join('&')}`}`
}

/** What a search of such a path is called; undefined for one that somebody typed. */
export function searchName(query: string): string | undefined {
  if (query === FAILURE_QUERY) return t`Problems`
  const number = Number(/^WU(\d+):/.exec(query)?.[1])
  return query === logQueryOfUnit(number) ? t`Problems of work unit ${number}` : undefined
}

/** The time in such a path, epoch milliseconds; undefined when there is none, or it is not a time. */
export function lineTimeOf(params: URLSearchParams): number | undefined {
  const text = params.get(TIME_PARAM) ?? ''
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
