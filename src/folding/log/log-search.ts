/*
 * Filtering and matching log lines. A user's pattern may never finish (`(a+)+$`), so functions that run one must be called
 * in a worker only.
 */
import { passesLevels } from './log-line.ts'

/** `pattern`: a regular expression, case-insensitive; '' for any line. Levels: see `passesLevels`. */
export type LogQuery = { readonly pattern: string; readonly errors: boolean; readonly warnings: boolean }

/** Start, end, start, end …: character offsets in a line without escapes. */
export type MatchRanges = readonly number[]

export type LineMarks = readonly [number: number, marks: MatchRanges]

export function isEmptyQuery({ pattern, errors, warnings }: LogQuery): boolean {
  return pattern === '' && !errors && !warnings
}

/** The browser's error message for an invalid regular expression; undefined for a valid one. Does not run it. */
export function patternError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'i')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*: /, '') : 'unknown'
  }
}

/** A predicate for lines without escapes. An invalid pattern filters nothing (docs/product.md §5). */
export function lineMatcher(query: LogQuery): (line: string) => boolean {
  const pattern = patternError(query.pattern) === undefined ? query.pattern : ''
  if (pattern === '') return line => passesLevels(line, query)
  const expression = new RegExp(pattern, 'i')
  return query.errors || query.warnings
    ? line => passesLevels(line, query) && expression.test(line)
    : line => expression.test(line)
}

// Not at the end of a part of a pattern: whatever follows may become part of an escape, a quantifier or a reference.
const EXTENDABLE = /\\[0-9cknpPux]|[{]/
const QUANTIFIER = /^[*+?{]/

/**
 * Whether every line that matches `query` certainly matches `earlier` too, as while a text is typed: then only the results
 * of the earlier search need to be tested. A pattern is narrower when something was appended that neither offers another
 * choice (`|`) nor changes what stands before it.
 */
export function isNarrower(query: LogQuery, earlier: LogQuery): boolean {
  if (!query.pattern.startsWith(earlier.pattern) || !isSameLevels(query, earlier)) return false
  const added = query.pattern.slice(earlier.pattern.length)
  return (
    patternError(earlier.pattern) === undefined &&
    patternError(query.pattern) === undefined &&
    !EXTENDABLE.test(earlier.pattern) &&
    !QUANTIFIER.test(added) &&
    !added.includes('|')
  )
}

function isSameLevels(one: LogQuery, other: LogQuery): boolean {
  return one.errors === other.errors && one.warnings === other.warnings
}

const MAX_MATCHES = 200

/** The matches of a pattern in a line, at most 200, without empty ones. */
export function findMatches(pattern: string, line: string): MatchRanges {
  if (pattern === '' || patternError(pattern) !== undefined) return []
  const marks: number[] = []
  for (const { index, 0: found } of line.matchAll(new RegExp(pattern, 'gi'))) {
    if (found.length > 0) marks.push(index, index + found.length)
    if (marks.length >= 2 * MAX_MATCHES) break
  }
  return marks
}
