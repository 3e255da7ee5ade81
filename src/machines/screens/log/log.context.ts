import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import {
  includesLine,
  nextLine,
  lowerBound,
  previousLine,
  noLines,
  type LineNumbers,
} from '../../../folding/log/line-numbers.ts'
import type { LineFinding } from '../../../folding/log/log-days.ts'
import {
  isEmptyQuery,
  patternError,
  type LineMarks,
  type LogQuery,
  type MatchRanges,
} from '../../../folding/log/log-search.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'
import type { ScrollPosition, Viewport } from './log.events.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'

export type HeldResult = { readonly numbers: LineNumbers; readonly end: number; readonly marks: readonly LineMarks[] }

export type LogContext = {
  /** The client whose log is shown; undefined while none is. */
  readonly client: ClientRef | undefined
  /** Range of the stored lines; `end` is exclusive. */
  readonly first: number
  readonly end: number
  /** Whether these are all lines: of a long log the end is there first. */
  readonly isWhole: boolean
  /** When the newest line arrived, in epoch milliseconds. */
  readonly heardAt: number
  /** The search text as typed. */
  readonly text: string
  /** The same, but while the user types quickly, the text before that. What is said about the text is said about this one. */
  readonly settledText: string
  readonly errors: boolean
  readonly warnings: boolean
  /** The search text in the page's address; updated after a pause in typing. */
  readonly addressText: string
  /** Id of the last search request. */
  readonly requestId: number
  readonly query: LogQuery
  /** The query that `found` answers. */
  readonly foundQuery: LogQuery
  /** Undefined: nothing is searched for. */
  readonly found: LineNumbers | undefined
  /** A result that is not shown yet. */
  readonly held: HeldResult | undefined
  /** One after the last line that was searched. */
  readonly searchedEnd: number
  /** Whether the current pattern takes too long. */
  readonly isSlow: boolean
  /** Why searching is not possible. */
  readonly searchFault: LoadFault | undefined
  /** Replies that are awaited from the search. */
  readonly pendingReplies: number
  readonly marks: ReadonlyMap<number, MatchRanges>
  /** The scroll position, or one to scroll to: then it is another object than the viewport's place. */
  readonly place: ScrollPosition | undefined
  /** What was last reported as visible. */
  readonly viewport: Viewport | undefined
  readonly selected: number | undefined
  /** Whether all lines are shown during a search. */
  readonly showsContext: boolean
  /** The time of the line that is to be found, epoch milliseconds. */
  readonly target: number | undefined
  /** The line that was found by its time, and that time. */
  readonly located: (LineFinding & { readonly at: number }) | undefined
  /** Lines from this number on arrived after the user scrolled away from the end. */
  readonly seenEnd: number
}

const everything: LogQuery = { pattern: '', errors: false, warnings: false }

export const initialContext: LogContext = {
  client: undefined,
  first: 0,
  end: 0,
  isWhole: false,
  heardAt: 0,
  text: '',
  settledText: '',
  errors: false,
  warnings: false,
  addressText: '',
  requestId: 0,
  query: everything,
  foundQuery: everything,
  found: undefined,
  held: undefined,
  searchedEnd: 0,
  isSlow: false,
  searchFault: undefined,
  pendingReplies: 0,
  marks: new Map(),
  place: undefined,
  viewport: undefined,
  selected: undefined,
  showsContext: false,
  target: undefined,
  located: undefined,
  seenEnd: 0,
}

/** The query to run: an invalid pattern filters nothing (docs/product.md §5). */
export function queryOf({ text, errors, warnings }: LogContext): LogQuery {
  return {
    pattern: patternError(text) === undefined ? text : '',
    errors,
    warnings,
  }
}

/** Where the reader is when `first` becomes the oldest line: there if the line was trimmed, or was the oldest of a part. */
export function placeAfter(context: LogContext, first: number, isWhole: boolean): ScrollPosition | undefined {
  const { place } = context
  if (place === undefined) return undefined
  const isAtOldest = isWhole && !context.isWhole && place.number === context.first
  return place.number < first || isAtOldest ? { number: first, offset: 0 } : place
}

/** Whether all lines are there, and the search is as far as it will be, so that a line can be found by its time. */
export function canLocate(context: LogContext): boolean {
  const { end, first, found, foundQuery, isSlow, isWhole, searchedEnd, searchFault } = context
  const query = queryOf(context)
  const isFound = found !== undefined && isSameValue(foundQuery, query) && searchedEnd >= end
  const isSearched = isEmptyQuery(query) || isFound
  return isWhole && end > first && (isSearched || isSlow || searchFault !== undefined)
}

/** Whether a line is fully visible. */
export function isSeen({ viewport }: LogContext, number: number): boolean {
  return (
    viewport !== undefined &&
    number <= viewport.to &&
    (number > viewport.place.number || (number === viewport.place.number && viewport.place.offset <= 0))
  )
}

/** The next or previous match from the selected line, or from the visible range when none is selected. */
export function stepFrom(
  { found = noLines, selected, viewport, first, end }: LogContext,
  isForward: boolean,
): number | undefined {
  return isForward
    ? nextLine(found, selected ?? (viewport?.place.number ?? first) - 1)
    : previousLine(found, selected ?? (viewport?.to ?? end) + 1)
}

// Position at which a line is scrolled into view.
const UPPER_THIRD = 1 / 3

export function positionOfLine({ viewport }: LogContext, number: number): ScrollPosition {
  return {
    number,
    offset: -(viewport?.height ?? 0) * UPPER_THIRD,
  }
}

// Lines beyond the visible range that are rendered already.
const AROUND = 60

/** Visible matches whose highlight positions are not known yet. */
export function unmarked({ found, foundQuery, marks, viewport, end }: LogContext): LineNumbers {
  if (found === undefined || foundQuery.pattern === '') return noLines
  const isAtEnd = viewport === undefined || viewport.isAtEnd
  const from = isAtEnd
    ? Math.max(0, found.length - 2 * AROUND)
    : Math.max(0, lowerBound(found, viewport.place.number) - AROUND)
  const to = isAtEnd ? found.length : lowerBound(found, Math.min(end, viewport.to + 1)) + AROUND
  return found.slice(from, to).filter(number => !marks.has(number))
}

const MOST_MARKED = 4000

/** Adds marks. When there are too many, the old ones are dropped and requested again when needed. */
export function withMarks(marks: LogContext['marks'], more: readonly LineMarks[]): LogContext['marks'] {
  return new Map(marks.size > MOST_MARKED ? more : [...marks, ...more])
}

/** The selected line, if it is among the matches. */
function stillSelected(current: number | undefined, found: LineNumbers): number | undefined {
  return current !== undefined && includesLine(found, current) ? current : undefined
}

/** What changes when a result is shown. */
export function withFound(context: LogContext, { numbers, end, marks }: HeldResult): Partial<LogContext> {
  return {
    held: undefined,
    found: numbers,
    searchedEnd: end,
    foundQuery: context.query,
    pendingReplies: 0,
    marks: new Map<number, MatchRanges>(marks),
    selected: stillSelected(context.selected, numbers),
  }
}
