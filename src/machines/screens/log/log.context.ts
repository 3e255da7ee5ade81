import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import {
  includesLine,
  nextLine,
  placeIn,
  previousLine,
  noLines,
  type LineNumbers,
} from '../../../folding/log/line-numbers.ts'
import { patternFault, type LogQuery, type Marks } from '../../../folding/log/log-search.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'
import type { Place, Sight } from './log.events.ts'

export type LogContext = {
  /** Whose log is shown; undefined while none is. */
  readonly client: ClientRef | undefined
  /** The lines that are kept: from this number to before that one. */
  readonly first: number
  readonly end: number
  readonly heardAt: number
  /** As it is typed. */
  readonly text: string
  readonly errors: boolean
  readonly warnings: boolean
  /** The text that stands in the address: typing has come to rest on it. */
  readonly addressText: string
  /** Number of the last question to the search. */
  readonly requestId: number
  readonly query: LogQuery
  /** The query that `found` answers. */
  readonly foundQuery: LogQuery
  /** Undefined: nothing is searched for. */
  readonly found: LineNumbers | undefined
  /** The pattern that was typed last takes too long. */
  readonly isSlow: boolean
  /** Why nothing can be searched for. */
  readonly searchFault: LoadFault | undefined
  /** Replies that the search owes. */
  readonly pendingReplies: number
  readonly marks: ReadonlyMap<number, Marks>
  /** Where the reader is, or is to be taken: another object than the sight's place. */
  readonly place: Place | undefined
  readonly sight: Sight | undefined
  /** The line that was chosen. */
  readonly selected: number | undefined
  /** All lines are shown although something is searched for. */
  readonly showsContext: boolean
  /** Lines from this number on came after the reader had left the end. */
  readonly seenEnd: number
}

const everything: LogQuery = { pattern: '', errors: false, warnings: false }

export const unread: LogContext = {
  client: undefined,
  first: 0,
  end: 0,
  heardAt: 0,
  text: '',
  errors: false,
  warnings: false,
  addressText: '',
  requestId: 0,
  query: everything,
  foundQuery: everything,
  found: undefined,
  isSlow: false,
  searchFault: undefined,
  pendingReplies: 0,
  marks: new Map(),
  place: undefined,
  sight: undefined,
  selected: undefined,
  showsContext: false,
  seenEnd: 0,
}

/** What is asked for: an invalid pattern filters nothing (docs/product.md §5). */
export const queryOf = ({ text, errors, warnings }: LogContext): LogQuery => ({
  pattern: patternFault(text) === undefined ? text : '',
  errors,
  warnings,
})

/** Whether a line is seen as a whole. */
export const isSeen = ({ sight }: LogContext, number: number): boolean =>
  sight !== undefined &&
  number <= sight.to &&
  (number > sight.place.number || (number === sight.place.number && sight.place.offset <= 0))

/** The line found after the chosen one, or before it; where none is chosen, the first one in sight. */
export const stepFrom = (
  { found = noLines, selected, sight, first, end }: LogContext,
  isForward: boolean,
): number | undefined =>
  isForward
    ? nextLine(found, selected ?? (sight?.place.number ?? first) - 1)
    : previousLine(found, selected ?? (sight?.to ?? end) + 1)

// Where a line is taken to that was out of sight: with something above it.
const UPPER_THIRD = 1 / 3

export const placeOfLine = ({ sight }: LogContext, number: number): Place => ({
  number,
  offset: -(sight?.height ?? 0) * UPPER_THIRD,
})

// Lines beyond the edges of what is seen, which are drawn already.
const AROUND = 60

/** Lines in sight that were found, and of which it is not known where. */
export const unmarked = ({ found, foundQuery, marks, sight, end }: LogContext): LineNumbers => {
  if (found === undefined || foundQuery.pattern === '') return noLines
  const isAtEnd = sight === undefined || sight.isAtEnd
  const from = isAtEnd
    ? Math.max(0, found.length - 2 * AROUND)
    : Math.max(0, placeIn(found, sight.place.number) - AROUND)
  const to = isAtEnd ? found.length : placeIn(found, Math.min(end, sight.to + 1)) + AROUND
  return found.slice(from, to).filter(number => !marks.has(number))
}

const MOST_MARKED = 4000

/** With marks that have come. Old ones are forgotten when they are too many: they can be asked for again. */
export const withMarks = (
  marks: LogContext['marks'],
  more: readonly (readonly [number, Marks])[],
): LogContext['marks'] => new Map(marks.size > MOST_MARKED ? more : [...marks, ...more])

/** The chosen line, as long as it is among those found. */
export const stillChosen = (current: number | undefined, found: LineNumbers): number | undefined =>
  current !== undefined && includesLine(found, current) ? current : undefined
