import type { LogLines } from '../../folding/log/log-lines.ts'
import type { LogQuery } from '../../folding/log/log-search.ts'
import type { SearchCommand, SearchFact } from '../../machines/screens/log/log.events.ts'
import { factActor } from '../fact-actor.ts'
import type { SearcherCommand } from './searcher.ts'

/** A search thread. A regular expression can block it forever, so it can be terminated at any time. */
export type SearchThread = {
  readonly post: (command: SearcherCommand, transfer: ArrayBuffer[]) => void
  readonly stop: () => void
}

type FindCommand = Extract<SearchCommand, { readonly query: LogQuery }>

export type LogSearchDeps = { readonly openThread: (listen: (fact: SearchFact) => void) => SearchThread }

/** Searches a log. Its thread is opened by the first search, and gets each line once. */
export function logSearch({ openThread }: LogSearchDeps) {
  return factActor<SearchCommand, { readonly readLog: () => LogLines }, SearchFact>(({ input, report, receive }) => {
    // The thread has the lines from `first` up to `sent`, exclusive.
    let open: { readonly thread: SearchThread; first: number; sent: number } | undefined

    // The next search opens a new thread without lines.
    const listen = (fact: SearchFact): void => {
      if (fact.type === 'search.failed') stop()
      report(fact)
    }

    const stop = (): void => {
      open?.thread.stop()
      open = undefined
    }

    const feed = (): SearchThread => {
      const log = input.readLog()
      open ??= { thread: openThread(listen), first: log.first, sent: log.first }
      // In a replay, lines that were trimmed may return.
      const from = log.first < open.first ? log.first : Math.max(open.sent, log.first)
      open.first = log.first
      if (from < log.end) {
        const lines = log.pack(from, log.end)
        open.thread.post({ type: 'feed', first: log.first, from, lines }, [lines.bytes.buffer, lines.ends.buffer])
        open.sent = log.end
      }
      return open.thread
    }

    const find = ({ id, query, near }: FindCommand): void =>
      feed().post({ type: 'find', id, query, ...(near === undefined ? {} : { near }) }, [])

    receive(command => {
      switch (command.type) {
        case 'search.prepare':
          feed()
          break
        case 'search.find':
          find(command)
          break
        case 'search.restart':
          stop()
          find(command)
          break
        case 'search.update':
          if (open !== undefined) feed()
          break
        case 'search.mark':
          open?.thread.post({ type: 'mark', id: command.id, numbers: command.numbers }, [])
          break
        case 'search.stop':
          stop()
          break
      }
    })
    return stop
  })
}
