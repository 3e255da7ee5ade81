import type { LogSearchDeps } from '../../src/actors/log-search/log-search.ts'
import { createSearcher } from '../../src/actors/log-search/searcher.ts'

/** A pattern with which a thread is busy for ever. */
export const ENDLESS = '(a+)+$'

/**
 * The searcher on the same thread: commands and reports take a turn of the event loop each, as between threads. It does
 * not begin with a pattern that would hold up this thread as well, and answers nothing from then on.
 */
export const inlineSearch: LogSearchDeps['openThread'] = listen => {
  let isOpen = true
  const inTurn = (run: () => void): void =>
    queueMicrotask(() => {
      if (isOpen) run()
    })
  const searcher = createSearcher({ post: fact => inTurn(() => listen(fact)), later: inTurn, now: () => 0 })
  return {
    post: command =>
      inTurn(() => {
        if (command.type !== 'find' || command.query.pattern !== ENDLESS) searcher.receive(command)
        else {
          listen({ type: 'search.started', id: command.id })
          isOpen = false
        }
      }),
    stop: () => {
      isOpen = false
    },
  }
}
