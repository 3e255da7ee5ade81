import { createSearcher, type SearcherCommand } from './searcher.ts'

const { port1, port2 } = new MessageChannel()
const waiting: (() => void)[] = []
port1.onmessage = () => waiting.shift()?.()

const searcher = createSearcher({
  post: (fact, transfer) => postMessage(fact, { transfer }),
  // A message of one's own comes after those that are waiting, and unlike a timer without delay.
  later: run => {
    waiting.push(run)
    port2.postMessage(undefined)
  },
  now: () => performance.now(),
})

addEventListener('message', (event: MessageEvent<SearcherCommand>) => searcher.receive(event.data))
