import { createHub } from './hub.ts'
import type { HubCommand } from './hub.types.ts'
import { openSocketWith } from './socket.ts'

const hub = createHub({
  openSocket: openSocketWith(url => new WebSocket(url)),
  now: () => Date.now(),
  later: (ms, run) => setTimeout(run, ms),
  post: (batch, transfer) => postMessage(batch, { transfer }),
})

addEventListener('message', (event: MessageEvent<HubCommand>) => hub.receive(event.data))
