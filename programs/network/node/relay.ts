import type { RequestListener } from 'node:http'
import type { Faults } from '../faults/faults.ts'
import { isKnownCaller } from '../../host/loopback.ts'
import { pathOf } from '../../host/server.ts'
import { createSocketEndpoint, hostSockets } from '../../host/sockets.ts'
import { endAbruptly, keepAlive } from '../../host/abrupt-socket.ts'
import { serveClient } from './client-side.ts'
import { servePage } from './page-side.ts'
import { createRooms } from './room.ts'
import type { BroadcastStore } from './broadcast-store.ts'

export type RelayOptions = {
  port: number
  broadcasts: BroadcastStore
  /** Milliseconds for each message of a client; 0 forwards at once. */
  paceMs: number
  /** For wss:// instead of ws://. */
  tls?: { key: string; cert: string } | undefined
  /** Whether logins of this account id are accepted. Default: all. */
  isAccount?: (id: string) => Promise<boolean>
  /** Origins that may connect. Connections without an Origin are always accepted. */
  allowedOrigins?: readonly string[]
  /** Milliseconds for the headers of a request. */
  requestMs?: number | undefined
  now?: () => number
  faults?: Faults | undefined
  /** Default: 60 s to log in, a ping every 45 s, as the real node. */
  loginMs?: number
  pingMs?: number
}

/** Clients reject longer messages from pages. Their own may be a whole log or a large molecule. */
const MAX_PAGE_MESSAGE_BYTES = 1_048_576
const MAX_CLIENT_MESSAGE_BYTES = 64 * 1_048_576
/** The real node takes 4,096; this one has room for a fleet of the largest size (programs/network/options.ts). */
const MAX_CONNECTIONS = 8_192

const answerHttp: RequestListener = (request, response) => {
  // Pages call /ping after losing their socket.
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.writeHead(request.url === '/ping' ? 200 : 404, { 'Content-Type': 'text/plain' }).end()
}

export function createRelay(options: RelayOptions) {
  const { broadcasts, port, paceMs, faults, tls, requestMs, allowedOrigins = [] } = options
  const { now = Date.now, loginMs = 60_000, pingMs = 45_000, isAccount = () => Promise.resolve(true) } = options
  const host = hostSockets(
    { what: 'the relay node', port, option: '--node-port, or move all four with --port' },
    () => {
      const rooms = createRooms(broadcasts, now)
      const pages = createSocketEndpoint({ maxPayload: MAX_PAGE_MESSAGE_BYTES }, (socket, request) => {
        endAbruptly(socket)
        keepAlive(socket, pingMs)
        faults?.onSocket(socket, 'page')
        servePage(socket, request.socket, rooms, { now, loginMs, isAccount })
      })
      const clients = createSocketEndpoint({ maxPayload: MAX_CLIENT_MESSAGE_BYTES }, (socket, request) => {
        endAbruptly(socket)
        keepAlive(socket, pingMs)
        faults?.onSocket(socket, 'machine')
        serveClient(socket, request.socket, rooms, { now, loginMs, paceMs, isAccount })
      })
      const endpoints = new Map([
        ['/ws/account', pages],
        ['/ws/client', clients],
      ])
      return {
        running: rooms,
        answer: answerHttp,
        tls,
        limits: { connections: MAX_CONNECTIONS, ...(requestMs === undefined ? {} : { requestMs }) },
        endpoints: [pages, clients],
        route: request => {
          // Version 8.4 names the whole address (docs/protocol.md §12).
          const endpoint = endpoints.get(pathOf(request).replace(/^wss?:\/\/[^/]*/, ''))
          if (endpoint === undefined) return 404
          return isKnownCaller(request.headers, allowedOrigins) ? endpoint : 403
        },
      }
    },
  )
  const rooms = () => host.running()?.all() ?? []
  const pages = () => rooms().flatMap(room => room.pages())
  return {
    start: host.start,
    /** Stops listening and drops every socket, as if the process had died. Broadcasts are kept. */
    stop: host.stop,
    port: host.port,
    clientCount: () => rooms().reduce((sum, room) => sum + room.clientCount(), 0),
    /** For tests: sends a text to every page, or client, that is logged in. */
    sendToPages: (text: string): void => pages().forEach(socket => socket.send(text)),
    sendToClients: (text: string): void =>
      rooms()
        .flatMap(room => room.clients())
        .forEach(socket => socket.send(text)),
    /** For tests: forgets all broadcasts, as a node whose disk was lost. */
    forgetBroadcasts: (): void => broadcasts.forget(),
    /** Drops the sockets of all pages, or of one client. */
    dropPages: (): void => pages().forEach(socket => socket.terminate()),
    dropClient: (id: string): void => rooms().forEach(room => room.client(id)?.terminate()),
  }
}

export type Relay = ReturnType<typeof createRelay>
