import '../loading/source-locale.ts'
import { createHub } from '../actors/wire/hub.ts'
import { EARLY_CHANNEL, type HubCommand } from '../actors/wire/hub.types.ts'
import { createMacrotaskQueue } from '../actors/browser/macrotask-queue.ts'
import { reportReady } from '../loading/report-ready.ts'
import { earlyUrlOf } from './early-url.ts'
import { openSocket } from './edges.ts'
import { loadFormats } from './load-formats.ts'

const afterOthers = createMacrotaskQueue()

const url = earlyUrlOf(self.name)

const hub = createHub({
  openSocket,
  now: () => Date.now(),
  random: () => Math.random(),
  later: (ms, run) => {
    if (ms <= 0) {
      afterOthers(run)
      return () => undefined
    }
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  post: (batch, transfer) => postMessage(batch, { transfer }),
  // That the client is there, and then its state, while the code of the page is evaluated.
  ahead: 1,
})

addEventListener('message', (event: MessageEvent<HubCommand>) => hub.receive(event.data))
if (url !== undefined) hub.receive({ type: 'direct.open', channel: EARLY_CHANNEL, url })
loadFormats(navigator.languages)
reportReady(navigator.locks, message => postMessage(message))
