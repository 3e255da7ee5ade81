/*
 * What a search in a log lets through, and what it finds in a line. A pattern may take for ever (`(a+)+$`), so nothing
 * here that runs one belongs on the page's own thread.
 */
import { isSameValue } from '../shared/equal.ts'
import { passesLevels } from './log-line.ts'

/** `pattern`: a regular expression, case-insensitive; '' for any line. Levels: see `passesLevels`. */
export type LogQuery = { readonly pattern: string; readonly errors: boolean; readonly warnings: boolean }

/** From, to, from, to …: letters of a line without its escapes. */
export type Marks = readonly number[]

export const isEmptyQuery = ({ pattern, errors, warnings }: LogQuery): boolean => pattern === '' && !errors && !warnings

export const isSameQuery = (one: LogQuery, other: LogQuery): boolean => isSameValue(one, other)

/** Why a pattern is no regular expression, in the browser's words; undefined when it is one. Does not run it. */
export const patternFault = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, 'i')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*: /, '') : 'unknown'
  }
}

/** Whether a line without escapes is let through. An invalid pattern filters nothing (docs/product.md §5). */
export const testOf = (query: LogQuery): ((line: string) => boolean) => {
  const pattern = patternFault(query.pattern) === undefined ? query.pattern : ''
  if (pattern === '') return line => passesLevels(line, query)
  const expression = new RegExp(pattern, 'i')
  return query.errors || query.warnings
    ? line => passesLevels(line, query) && expression.test(line)
    : line => expression.test(line)
}

const MOST_MARKS = 200

/** Where a pattern is found in a line; at most 200 places. What has no length is not marked. */
export const marksIn = (pattern: string, line: string): Marks => {
  if (pattern === '' || patternFault(pattern) !== undefined) return []
  const marks: number[] = []
  for (const { index, 0: found } of line.matchAll(new RegExp(pattern, 'gi'))) {
    if (found.length > 0) marks.push(index, index + found.length)
    if (marks.length >= 2 * MOST_MARKS) break
  }
  return marks
}
