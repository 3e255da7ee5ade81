import { createAfterOthers } from '../after-others.ts'
import { createSearcher, type SearcherCommand } from './searcher.ts'

const searcher = createSearcher({
  post: (fact, transfer) => postMessage(fact, { transfer }),
  later: createAfterOthers(),
  now: () => performance.now(),
})

addEventListener('message', (event: MessageEvent<SearcherCommand>) => searcher.receive(event.data))
