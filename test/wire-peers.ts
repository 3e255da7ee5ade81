import type { RawData, WebSocket as ServerSocket } from 'ws'
import { WebSocket, WebSocketServer } from 'ws'
import type { SocketUrl } from '../src/protocol/url.ts'
import type { Hub } from '../src/actors/wire/hub.ts'
import { untilNextSecond } from '../src/actors/pacing.ts'
import { createHub } from '../src/actors/wire/hub.ts'
import type { Batch, HubDeps, LinkReport, RelayReport } from '../src/actors/wire/hub.types.ts'
import { openSocketWith } from '../src/actors/wire/socket.ts'

/** Both ends of real sockets on loopback, for the tests of this folder. */

export const NOW = Date.UTC(2026, 10, 20, 12) + 500
/** The emptiest first message. */
export const data = { info: {}, config: {}, groups: {}, units: [] }

/** A hub with everything it posts, taken at once; `until` waits for something to be posted. */
function listening(later: HubDeps['later'], parts: Partial<Pick<HubDeps, 'now'>>) {
  const facts = new Map<number, (LinkReport | RelayReport)[]>()
  const order: string[] = []
  let wake = () => {}
  const take = (batch: Batch) => {
    for (const { channel, facts: added } of [...batch.links, ...batch.relays]) {
      facts.set(channel, [...(facts.get(channel) ?? []), ...added])
      order.push(...added.map(fact => `${channel} ${fact.type}`))
    }
    queueMicrotask(() => hub.receive({ type: 'take' }))
    wake()
  }
  const hub = createHub({
    openSocket: openSocketWith(url => new WebSocket(url)),
    now: () => NOW,
    random: () => 0,
    later,
    post: take,
    ...parts,
  })
  const of = (channel: number) => facts.get(channel) ?? []
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>(resolve => (wake = resolve))
  }
  const untilCount = (channel: number, count: number) => until(() => of(channel).length >= count)
  return { hub, of, order, until, untilCount }
}

const servers: WebSocketServer[] = []
export const hubs: Hub[] = []

/** Closes every hub and server of a test. */
export function closeAll() {
  for (const hub of hubs.splice(0)) hub.stop()
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
}

function textOf(raw: RawData) {
  return (Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as ArrayBuffer)).toString()
}

/** A server whose sockets and messages can be waited for in order. */
export async function serve() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 200 * 1024 * 1024 })
  servers.push(server)
  const messages: string[] = []
  const sockets: ServerSocket[] = []
  let wake = () => {}
  server.on('connection', socket => {
    sockets.push(socket)
    socket.on('message', raw => {
      messages.push(textOf(raw))
      wake()
    })
    wake()
  })
  await new Promise<void>(resolve => server.once('listening', resolve))
  const address = server.address()
  const next = async <T>(list: T[]): Promise<T> => {
    while (list.length === 0) await new Promise<void>(resolve => (wake = resolve))
    return list.shift() as T
  }
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` as SocketUrl,
    socket: () => next(sockets),
    message: () => next(messages),
  }
}

/** Runs at once what the hub does after the messages that have arrived and when the second ends, and never what it does later. */
const soon: HubDeps['later'] = (ms, run) => {
  const waiting = ms <= untilNextSecond(NOW) ? setImmediate(run) : undefined
  return () => clearImmediate(waiting)
}

export function start(later: HubDeps['later'] = soon, parts: Partial<Pick<HubDeps, 'now'>> = {}) {
  const listened = listening(later, parts)
  hubs.push(listened.hub)
  return listened
}
