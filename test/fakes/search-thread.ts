import type { LogSearchDeps } from '../../src/actors/log-search/log-search.ts'
import { createSearcher } from '../../src/actors/log-search/searcher.ts'

/** The searcher on the same thread: what it is told and what it reports take a turn each, as between threads. */
export const inlineSearch: LogSearchDeps['openThread'] = listen => {
  let isOpen = true
  const inTurn = (run: () => void): void =>
    queueMicrotask(() => {
      if (isOpen) run()
    })
  const searcher = createSearcher({ post: fact => inTurn(() => listen(fact)), later: inTurn, now: () => 0 })
  return {
    post: command => inTurn(() => searcher.receive(command)),
    stop: () => {
      isOpen = false
    },
  }
}
