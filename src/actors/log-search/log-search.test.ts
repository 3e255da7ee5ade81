import { describe, expect, it } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { settled } from '../../../test/child.ts'
import { inlineSearch } from '../../../test/fakes/search-thread.ts'
import { appendLog, type LogLines } from '../../folding/log/log-lines.ts'
import { logOf } from '../../../test/folding/log.ts'
import type { SearchCommand, SearchFact } from '../../machines/screens/log/log.events.ts'
import { packLines } from '../../protocol/client/packed-lines.ts'
import { logSearch, type LogSearchDeps, type SearchThread } from './log-search.ts'
import { workerThread } from './worker-thread.ts'
import { createSearcher } from './searcher.ts'

function startSearch(lines: readonly string[], open: LogSearchDeps['openThread'] = inlineSearch) {
  let log: LogLines = logOf(lines)
  const facts: SearchFact[] = []
  const threads: { posted: string[]; isOpen: boolean }[] = []
  const openThread = (listen: (fact: SearchFact) => void): SearchThread => {
    const seen = { posted: [] as string[], isOpen: true }
    threads.push(seen)
    const thread = open(listen)
    return {
      post: (command, transfer) => {
        seen.posted.push(command.type === 'feed' ? `feed ${command.from}+${command.lines.ends.length}` : command.type)
        thread.post(command, transfer)
      },
      stop: () => {
        seen.isOpen = false
        thread.stop()
      },
    }
  }
  const actor = createActor(
    createMachine({
      invoke: { src: logSearch({ openThread }), id: 'search', input: { readLog: () => log } },
      on: { '*': { actions: ({ event }) => facts.push(event as SearchFact) } },
    }),
  ).start()
  const search = actor.getSnapshot().children['search']
  return {
    threads,
    tell: async (...commands: SearchCommand[]) => {
      for (const command of commands) search?.send(command)
      await settled()
    },
    write: (next: (log: LogLines) => LogLines) => {
      log = next(log)
    },
    take: () => facts.splice(0).map(fact => ('numbers' in fact ? { ...fact, numbers: [...fact.numbers] } : fact)),
    stop: () => actor.stop(),
  }
}

function query(pattern: string) {
  return { pattern, errors: false, warnings: false }
}

describe('A search in a log', () => {
  it('opens no thread and sends no lines before the first search', async () => {
    const search = startSearch(['a'])
    await search.tell(
      { type: 'search.update' },
      { type: 'search.mark', id: 1, numbers: Uint32Array.of(0) },
      { type: 'search.stop' },
    )
    expect({ threads: search.threads, take: search.take() }).toEqual({ threads: [], take: [] })
  })

  it('reports its start, then its results', async () => {
    const search = startSearch(['ab', 'b', '\u001b[91mAB\u001b[0m'])
    await search.tell({ type: 'search.find', id: 4, query: query('^ab$') })
    expect(search.take()).toEqual([
      { type: 'search.started', id: 4 },
      {
        type: 'search.found',
        id: 4,
        numbers: [0, 2],
        end: 3,
        marks: [
          [0, [0, 2]],
          [2, [0, 2]],
        ],
      },
    ])
  })

  it('sends each line once, and tests only new ones', async () => {
    const search = startSearch(['a', 'b'])
    await search.tell({ type: 'search.prepare' }, { type: 'search.find', id: 1, query: query('a') })
    search.take()
    search.write(log => appendLog(log, packLines(['c', 'a'])))
    await search.tell({ type: 'search.update' })
    expect(search.take()).toEqual([{ type: 'search.updated', id: 1, numbers: [3], end: 4 }])
    expect(search.threads.map(({ posted }) => posted)).toEqual([['feed 0+2', 'find', 'feed 2+2']])
  })

  it('drops trimmed lines, and starts over when older lines return', async () => {
    const search = startSearch(['a0', 'a1', 'a2'])
    const whole = logOf(['a0', 'a1', 'a2', 'a3'])
    await search.tell({ type: 'search.find', id: 1, query: query('a') })
    search.write(log => appendLog(log, packLines(['a3']), 3))
    await search.tell({ type: 'search.update' }, { type: 'search.mark', id: 1, numbers: Uint32Array.of(0, 3) })
    expect(search.take().slice(2)).toEqual([
      { type: 'search.updated', id: 1, numbers: [3], end: 4 },
      {
        type: 'search.marked',
        id: 1,
        marks: [
          [0, []],
          [3, [0, 1]],
        ],
      },
    ])
    search.write(() => whole)
    await search.tell({ type: 'search.update' })
    expect(search.take()).toEqual([
      { type: 'search.started', id: 1 },
      {
        type: 'search.found',
        id: 1,
        numbers: [0, 1, 2, 3],
        end: 4,
        marks: [0, 1, 2, 3].map(number => [number, [0, 1]]),
      },
    ])
  })

  it('finds what a search of its own would while a text is typed, whatever arrives or is trimmed meanwhile', async () => {
    const search = startSearch(['ab', 'a', 'b', 'abc'])
    const found = async (id: number, pattern: string) => {
      await search.tell({ type: 'search.find', id, query: query(pattern) })
      return search.take().flatMap(fact => (fact.type === 'search.found' ? [fact.numbers] : []))
    }
    expect(await found(1, 'a')).toEqual([[0, 1, 3]])
    expect(await found(2, 'ab')).toEqual([[0, 3]])
    search.write(log => appendLog(log, packLines(['abcd', 'x', 'ab'])))
    await search.tell({ type: 'search.update' })
    expect(await found(3, 'abc')).toEqual([[3, 4]])
    expect(await found(4, 'abc|x')).toEqual([[3, 4, 5]])
    expect(await found(5, 'ab')).toEqual([[0, 3, 4, 6]])
    search.write(log => appendLog(log, packLines(['abcde']), 5))
    await search.tell({ type: 'search.update' })
    expect(await found(6, 'abc')).toEqual([[4, 7]])
  })

  it('tests only earlier results while a text is typed', () => {
    const later: (() => void)[] = []
    let clock = 0
    const facts: SearchFact[] = []
    // Each look at the clock is a millisecond later, so a slice ends after 8 steps of 128 lines.
    const searcher = createSearcher({
      post: fact => facts.push(fact),
      later: run => later.push(run),
      now: () => clock++,
    })
    const slices = (id: number, pattern: string): number => {
      searcher.receive({ type: 'find', id, query: query(pattern) })
      let count = 1
      for (let run = later.shift(); run !== undefined; run = later.shift(), count++) run()
      return count
    }
    const lines = packLines(Array.from({ length: 10_000 }, (_, at) => (at % 100 === 0 ? `rare ${at}` : `line ${at}`)))
    searcher.receive({ type: 'feed', first: 0, from: 0, lines })
    expect(slices(1, 'rar')).toBe(10)
    expect(slices(2, 'rare')).toBe(1)
    expect(slices(3, 'rare 99')).toBe(1)
    expect(slices(4, 'rare|x')).toBe(10)
    // An invalid pattern finds all lines; what follows it narrows the last valid one, and so does a step back.
    expect(slices(5, 'rare \\')).toBe(10)
    expect(slices(6, 'rare \\d')).toBe(1)
    expect(slices(7, 'rare')).toBe(1)
    expect(facts.flatMap(fact => (fact.type === 'search.found' ? [fact.numbers.length] : []))).toEqual([
      100, 100, 1, 100, 10_000, 100, 100,
    ])
  })

  it('aborts a search when a new one starts, without reporting it', async () => {
    const search = startSearch(['a', 'b'])
    await search.tell(
      { type: 'search.find', id: 1, query: query('a') },
      { type: 'search.restart', id: 2, query: query('b') },
    )
    expect(search.take()).toEqual([
      { type: 'search.started', id: 2 },
      { type: 'search.found', id: 2, numbers: [1], end: 2, marks: [[1, [0, 1]]] },
    ])
    expect(search.threads.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  it('reports the matches in a line', async () => {
    const search = startSearch(['xaxa', 'b'])
    await search.tell(
      { type: 'search.find', id: 1, query: query('a') },
      { type: 'search.mark', id: 1, numbers: Uint32Array.of(0, 1) },
    )
    expect(search.take().at(-1)).toEqual({
      type: 'search.marked',
      id: 1,
      marks: [
        [0, [1, 2, 3, 4]],
        [1, []],
      ],
    })
  })

  it('ends its thread when the search or the actor stops', async () => {
    const search = startSearch(['a'])
    await search.tell({ type: 'search.prepare' }, { type: 'search.stop' }, { type: 'search.prepare' })
    search.stop()
    expect(search.threads.map(({ isOpen }) => isOpen)).toEqual([false, false])
  })
})

describe('A thread whose script does not load', () => {
  it('is reported, and the next search opens another one', async () => {
    const workers: EventTarget[] = []
    const openThread = workerThread(
      () => {
        const worker = Object.assign(new EventTarget(), { postMessage: () => undefined, terminate: () => undefined })
        workers.push(worker)
        return worker
      },
      () => Promise.resolve('serverAway'),
    )
    const search = startSearch(['a'], openThread)
    await search.tell({ type: 'search.find', id: 1, query: query('a') })
    workers[0]?.dispatchEvent(new Event('error'))
    await settled()
    expect(search.take()).toEqual([{ type: 'search.failed', fault: 'serverAway' }])
    await search.tell({ type: 'search.find', id: 2, query: query('b') })
    expect(workers).toHaveLength(2)
    search.stop()
  })
})

describe('A searcher', () => {
  it('yields after every slice, with the same results', () => {
    const facts: SearchFact[] = []
    const waiting: (() => void)[] = []
    let time = 0
    const searcher = createSearcher({
      post: fact => facts.push(fact),
      later: run => waiting.push(run),
      now: () => (time += 5),
    })
    const lines = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 'even' : 'odd'))
    searcher.receive({ type: 'feed', first: 0, from: 0, lines: packLines(lines) })
    searcher.receive({ type: 'find', id: 1, query: query('even') })
    searcher.receive({ type: 'find', id: 2, query: query('odd') })
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) run()
    expect(facts.map(fact => [fact.type, 'id' in fact ? fact.id : undefined])).toEqual([
      ['search.started', 1],
      ['search.started', 2],
      ['search.found', 2],
    ])
    const [, , found] = facts
    expect(found?.type === 'search.found' ? [...found.numbers] : []).toEqual(
      lines.flatMap((line, number) => (line === 'odd' ? [number] : [])),
    )
  })

  it('marks the matches around the visible line, else the newest', () => {
    const marked: number[][] = []
    const searcher = createSearcher({
      post: fact => {
        if (fact.type === 'search.found') marked.push(fact.marks.map(([number]) => number))
      },
      later: run => run(),
      now: () => 0,
    })
    const lines = packLines(Array.from({ length: 1000 }, () => 'line'))
    searcher.receive({ type: 'feed', first: 0, from: 0, lines })
    searcher.receive({ type: 'find', id: 1, query: query('line'), near: 500 })
    searcher.receive({ type: 'find', id: 2, query: query('line'), near: 5000 })
    searcher.receive({ type: 'find', id: 3, query: query('line') })
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
    expect(marked).toEqual([range(440, 620), range(940, 1000), range(880, 1000)])
  })
})
