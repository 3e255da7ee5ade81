import { stripAnsi } from '../../folding/log/log-line.ts'
import { marksIn, testOf, type LogQuery, type Marks } from '../../folding/log/log-search.ts'
import type { SearchFact } from '../../machines/screens/log/log.events.ts'
import { unpackLines, type PackedLines } from '../../protocol/packed-lines.ts'

/** What the page says to the thread that searches. */
export type SearcherCommand =
  /** Lines from number `from` on. Those before number `first` are not kept any more. */
  | { readonly type: 'feed'; readonly first: number; readonly from: number; readonly lines: PackedLines }
  | { readonly type: 'find'; readonly id: number; readonly query: LogQuery }
  | { readonly type: 'mark'; readonly id: number; readonly numbers: Uint32Array }

export type SearcherDeps = {
  readonly post: (fact: SearchFact, transfer: ArrayBuffer[]) => void
  /** Runs after what has arrived meanwhile was received. */
  readonly later: (run: () => void) => void
  /** Milliseconds. */
  readonly now: () => number
}

export type Searcher = { readonly receive: (command: SearcherCommand) => void }

type Question = { readonly id: number; readonly test: (line: string) => boolean; readonly pattern: string }

/** Milliseconds of searching before it is asked whether there is something newer to search for. */
const SLICE = 8
const BETWEEN_LOOKS = 128

/** Keeps a log's lines as texts, finds those that a query lets through, and tests new ones by the same query. */
export const createSearcher = ({ post, later, now }: SearcherDeps): Searcher => {
  let first = 0
  let texts: string[] = []
  let question: Question | undefined
  let found: number[] = []
  // Lines before this number were tested.
  let tested = 0
  let isDone = true

  const end = (): number => first + texts.length

  const report = (type: 'search.found' | 'search.grew', id: number): void => {
    const numbers = Uint32Array.from(found)
    found = []
    post({ type, id, numbers, end: end() }, [numbers.buffer])
  }

  const testUpTo = (limit: number): void => {
    for (; tested < limit; tested++) if (question?.test(texts[tested - first] ?? '') === true) found.push(tested)
  }

  const goOn = (id: number): void => {
    if (question?.id !== id) return
    const until = now() + SLICE
    do testUpTo(Math.min(end(), tested + BETWEEN_LOOKS))
    while (tested < end() && now() < until)
    if (tested < end()) later(() => goOn(id))
    else {
      isDone = true
      report('search.found', id)
    }
  }

  const forgetBefore = (number: number): void => {
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
    forgetBefore(kept)
    if (question === undefined) return
    if (isOtherLog) begin(question)
    else if (isDone) {
      testUpTo(end())
      report('search.grew', question.id)
    }
  }

  const begin = (next: Question): void => {
    question = next
    found = []
    tested = first
    isDone = false
    post({ type: 'search.begun', id: next.id }, [])
    goOn(next.id)
  }

  const mark = (id: number, numbers: Uint32Array): void => {
    const pattern = question?.pattern ?? ''
    const marks = Array.from(numbers, (number): readonly [number, Marks] => [
      number,
      marksIn(pattern, texts[number - first] ?? ''),
    ])
    post({ type: 'search.marked', id, marks }, [])
  }

  return {
    receive(command) {
      if (command.type === 'feed') feed(command.first, command.from, command.lines)
      else if (command.type === 'find')
        begin({ id: command.id, test: testOf(command.query), pattern: command.query.pattern })
      else if (question?.id === command.id) mark(command.id, command.numbers)
    },
  }
}
