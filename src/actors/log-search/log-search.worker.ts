import { createMacrotaskQueue } from '../browser/macrotask-queue.ts'
import { createSearcher, type SearcherCommand } from './searcher.ts'

const searcher = createSearcher({
  post: (fact, transfer) => postMessage(fact, { transfer }),
  later: createMacrotaskQueue(),
  now: () => performance.now(),
})

addEventListener('message', (event: MessageEvent<SearcherCommand>) => searcher.receive(event.data))
