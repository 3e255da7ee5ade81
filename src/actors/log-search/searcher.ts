import { stripAnsi } from '../../folding/log/log-line.ts'
import { findMatches, lineMatcher, type LogQuery, type MatchRanges } from '../../folding/log/log-search.ts'
import type { SearchFact } from '../../machines/screens/log/log.events.ts'
import { unpackLines, type PackedLines } from '../../protocol/packed-lines.ts'

/** Commands from the page to the search thread. */
export type SearcherCommand =
  /** Lines from number `from` on. Those before number `first` were trimmed. */
  | { readonly type: 'feed'; readonly first: number; readonly from: number; readonly lines: PackedLines }
  | { readonly type: 'find'; readonly id: number; readonly query: LogQuery }
  | { readonly type: 'mark'; readonly id: number; readonly numbers: Uint32Array }

export type SearcherDeps = {
  readonly post: (fact: SearchFact, transfer: ArrayBuffer[]) => void
  /** Runs after all messages that have arrived already. */
  readonly later: (run: () => void) => void
  /** Milliseconds. */
  readonly now: () => number
}

export type Searcher = { readonly receive: (command: SearcherCommand) => void }

type ActiveSearch = { readonly id: number; readonly test: (line: string) => boolean; readonly pattern: string }

/** Milliseconds of searching before newer messages are received. */
const SLICE = 8
const LINES_PER_CLOCK_CHECK = 128

/** Holds the lines of a log, finds those that match a query, and tests new ones with the same query. */
export const createSearcher = ({ post, later, now }: SearcherDeps): Searcher => {
  let first = 0
  let texts: string[] = []
  let search: ActiveSearch | undefined
  let found: number[] = []
  // Lines before this number were tested.
  let tested = 0
  let isDone = true

  const end = (): number => first + texts.length

  const report = (type: 'search.found' | 'search.updated', id: number): void => {
    const numbers = Uint32Array.from(found)
    found = []
    post({ type, id, numbers, end: end() }, [numbers.buffer])
  }

  const testUpTo = (limit: number): void => {
    for (; tested < limit; tested++) if (search?.test(texts[tested - first] ?? '') === true) found.push(tested)
  }

  const continueSearch = (id: number): void => {
    if (search?.id !== id) return
    const until = now() + SLICE
    do testUpTo(Math.min(end(), tested + LINES_PER_CLOCK_CHECK))
    while (tested < end() && now() < until)
    if (tested < end()) later(() => continueSearch(id))
    else {
      isDone = true
      report('search.found', id)
    }
  }

  const dropBefore = (number: number): void => {
    if (number <= first) return
    texts = texts.slice(number - first)
    first = number
    tested = Math.max(tested, first)
  }

  const feed = (kept: number, from: number, lines: PackedLines): void => {
    const isOtherLog = from !== end()
    if (isOtherLog) {
      texts = []
      first = from
    }
    for (const line of unpackLines(lines)) texts.push(stripAnsi(line))
    dropBefore(kept)
    if (search === undefined) return
    if (isOtherLog) begin(search)
    else if (isDone) {
      testUpTo(end())
      report('search.updated', search.id)
    }
  }

  const begin = (next: ActiveSearch): void => {
    search = next
    found = []
    tested = first
    isDone = false
    post({ type: 'search.started', id: next.id }, [])
    continueSearch(next.id)
  }

  const mark = (id: number, numbers: Uint32Array): void => {
    const pattern = search?.pattern ?? ''
    const marks = Array.from(numbers, (number): readonly [number, MatchRanges] => [
      number,
      findMatches(pattern, texts[number - first] ?? ''),
    ])
    post({ type: 'search.marked', id, marks }, [])
  }

  return {
    receive(command) {
      if (command.type === 'feed') feed(command.first, command.from, command.lines)
      else if (command.type === 'find')
        begin({ id: command.id, test: lineMatcher(command.query), pattern: command.query.pattern })
      else if (search?.id === command.id) mark(command.id, command.numbers)
    },
  }
}
