import { stripAnsi } from '../../folding/log/log-line.ts'
import { appendLineNumbers, noLines, type LineNumbers } from '../../folding/log/line-numbers.ts'
import { findMatches, isNarrower, lineMatcher, type LineMarks, type LogQuery } from '../../folding/log/log-search.ts'
import type { SearchFact } from '../../machines/screens/log/log.events.ts'
import { unpackLines, type PackedLines } from '../../protocol/client/packed-lines.ts'
import { isSameValue } from '../../folding/shared/equal.ts'

/** Commands from the page to the search thread. */
export type SearcherCommand =
  /** Lines from number `from` on. Those before number `first` were trimmed. */
  | { readonly type: 'feed'; readonly first: number; readonly from: number; readonly lines: PackedLines }
  /** `near`: a line that is visible; undefined at the end of the log. */
  | { readonly type: 'find'; readonly id: number; readonly query: LogQuery; readonly near?: number }
  | { readonly type: 'mark'; readonly id: number; readonly numbers: Uint32Array }

export type SearcherDeps = {
  readonly post: (fact: SearchFact, transfer: ArrayBuffer[]) => void
  /** Runs after all messages that have arrived already. */
  readonly later: (run: () => void) => void
  /** Milliseconds. */
  readonly now: () => number
}

export type Searcher = { readonly receive: (command: SearcherCommand) => void }

type ActiveSearch = {
  readonly id: number
  readonly test: (line: string) => boolean
  readonly query: LogQuery
  readonly near: number | undefined
}

/** A search that was finished: its results among the lines before `end`. */
type Finished = { readonly query: LogQuery; readonly numbers: LineNumbers; readonly end: number }

/** Searches that are kept: a person who types passes patterns that are invalid, and goes back to earlier ones. */
const MOST_FINISHED = 8

/** Milliseconds of searching before newer messages are received. */
const SLICE = 8
const LINES_PER_CLOCK_CHECK = 128
/** Matches around the visible line, or the newest ones. Their marks come with the result, not in a reply of their own. */
const NEAR_MATCHES = 120

/** The part of the matches around line `near`, or of the newest ones. */
function matchesNear(numbers: readonly number[], near: number | undefined): readonly number[] {
  if (near === undefined) return numbers.slice(-NEAR_MATCHES)
  const after = numbers.findIndex(number => number >= near)
  const at = after < 0 ? numbers.length : after
  return numbers.slice(Math.max(0, at - NEAR_MATCHES / 2), at + NEAR_MATCHES)
}

/** Holds the lines of a log, finds those that match a query, and tests new ones with the same query. */
export function createSearcher({ post, later, now }: SearcherDeps): Searcher {
  let first = 0
  let texts: string[] = []
  let search: ActiveSearch | undefined
  let found: number[] = []
  // Lines before this number were tested.
  let tested = 0
  let isDone = true
  // The last one first.
  let finished: readonly Finished[] = []
  // Results of a finished search that are still to be tested, because the search narrows it.
  let candidates: LineNumbers = noLines
  let nextCandidate = 0

  const end = (): number => first + texts.length

  const marksOf = (pattern: string, number: number): LineMarks => [
    number,
    findMatches(pattern, texts[number - first] ?? ''),
  ]

  const keep = (search: Finished): void => {
    const others = finished.filter(({ query }) => !isSameValue(query, search.query))
    finished = [search, ...others.slice(0, MOST_FINISHED - 1)]
  }

  const reportFound = ({ id, query, near }: ActiveSearch): void => {
    const { pattern } = query
    const marks = pattern === '' ? [] : matchesNear(found, near).map(number => marksOf(pattern, number))
    const numbers = Uint32Array.from(found)
    found = []
    keep({ query, numbers: numbers.slice(), end: end() })
    post({ type: 'search.found', id, numbers, end: end(), marks }, [numbers.buffer])
  }

  const reportUpdated = (id: number): void => {
    const numbers = Uint32Array.from(found)
    found = []
    const [last] = finished
    if (last !== undefined) keep({ ...last, numbers: appendLineNumbers(last.numbers, numbers, first), end: end() })
    post({ type: 'search.updated', id, numbers, end: end() }, [numbers.buffer])
  }

  const testCandidates = (limit: number): void => {
    for (; nextCandidate < limit; nextCandidate++) {
      const number = candidates[nextCandidate] ?? -1
      if (number >= first && search?.test(texts[number - first] ?? '') === true) found.push(number)
    }
  }

  const testUpTo = (limit: number): void => {
    for (; tested < limit; tested++) if (search?.test(texts[tested - first] ?? '') === true) found.push(tested)
  }

  const isTested = (): boolean => nextCandidate >= candidates.length && tested >= end()

  const continueSearch = (id: number): void => {
    if (search?.id !== id) return
    const until = now() + SLICE
    do {
      if (nextCandidate < candidates.length)
        testCandidates(Math.min(candidates.length, nextCandidate + LINES_PER_CLOCK_CHECK))
      else testUpTo(Math.min(end(), tested + LINES_PER_CLOCK_CHECK))
    } while (!isTested() && now() < until)
    if (!isTested()) later(() => continueSearch(id))
    else {
      isDone = true
      candidates = noLines
      reportFound(search)
    }
  }

  const dropBefore = (number: number): void => {
    if (number <= first) return
    texts = texts.slice(number - first)
    first = number
    tested = Math.max(tested, first)
  }

  const feed = (firstKept: number, from: number, lines: PackedLines): void => {
    const isOtherLog = from !== end()
    if (isOtherLog) {
      texts = []
      first = from
      finished = []
    }
    for (const line of unpackLines(lines)) texts.push(stripAnsi(line))
    dropBefore(firstKept)
    if (search === undefined) return
    if (isOtherLog) begin(search)
    else if (isDone) {
      testUpTo(end())
      reportUpdated(search.id)
    }
  }

  const begin = (next: ActiveSearch): void => {
    const narrowed = finished
      .filter(({ query }) => isNarrower(next.query, query))
      .reduce<Finished | undefined>(
        (best, other) => (best === undefined || other.numbers.length < best.numbers.length ? other : best),
        undefined,
      )
    search = next
    found = []
    candidates = narrowed?.numbers ?? noLines
    nextCandidate = 0
    tested = Math.max(first, narrowed?.end ?? first)
    isDone = false
    post({ type: 'search.started', id: next.id }, [])
    continueSearch(next.id)
  }

  const mark = (id: number, numbers: Uint32Array): void => {
    const pattern = search?.query.pattern ?? ''
    const marks = Array.from(numbers, number => marksOf(pattern, number))
    post({ type: 'search.marked', id, marks }, [])
  }

  return {
    receive(command) {
      if (command.type === 'feed') feed(command.first, command.from, command.lines)
      else if (command.type === 'find')
        begin({ id: command.id, test: lineMatcher(command.query), query: command.query, near: command.near })
      else if (search?.id === command.id) mark(command.id, command.numbers)
    },
  }
}
