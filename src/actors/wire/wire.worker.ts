import { WORKER_READY } from '../../loading/supervise-worker.ts'
import { createMacrotaskQueue } from '../macrotask-queue.ts'
import { createHub } from './hub.ts'
import type { HubCommand } from './hub.types.ts'
import { openSocketWith } from './socket.ts'

const afterOthers = createMacrotaskQueue()

const hub = createHub({
  openSocket: openSocketWith(url => new WebSocket(url)),
  now: () => Date.now(),
  later: (ms, run) => {
    if (ms > 0) setTimeout(run, ms)
    else afterOthers(run)
  },
  post: (batch, transfer) => postMessage(batch, { transfer }),
})

addEventListener('message', (event: MessageEvent<HubCommand>) => hub.receive(event.data))
postMessage(WORKER_READY)
