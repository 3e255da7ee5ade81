import '../loading/source-locale.ts'
import { createHub } from '../actors/wire/hub.ts'
import type { HubCommand } from '../actors/wire/hub.types.ts'
import { openSocketWith } from '../actors/wire/socket.ts'
import { createMacrotaskQueue } from '../actors/macrotask-queue.ts'
import { reportReady } from '../loading/report-ready.ts'

const afterOthers = createMacrotaskQueue()

const hub = createHub({
  openSocket: openSocketWith(url => new WebSocket(url)),
  now: () => Date.now(),
  later: (ms, run) => {
    if (ms <= 0) {
      afterOthers(run)
      return () => undefined
    }
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  post: (batch, transfer) => postMessage(batch, { transfer }),
})

addEventListener('message', (event: MessageEvent<HubCommand>) => hub.receive(event.data))
reportReady(navigator.locks, message => postMessage(message))
