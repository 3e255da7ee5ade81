import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Faults } from '../faults/faults.ts'
import { hostSockets } from '../sockets.ts'
import { endAbruptly, keepAlive } from './abrupt-socket.ts'
import { serveMachine } from './machine-side.ts'
import { servePage } from './page-side.ts'
import { createRooms } from './rooms.ts'
import type { Shelf } from './shelf.ts'

export type RelayOptions = {
  port: number
  shelf: Shelf
  /** Milliseconds for each message of a machine; 0 passes everything on at once. */
  paceMs: number
  /** wss:// instead of ws://. */
  tls?: { key: string; cert: string } | undefined
  now?: () => number
  faults?: Faults | undefined
  /** For tests. Default: 60 s to log in, a ping every 45 s, as the real node. */
  loginMs?: number
  pingMs?: number
}

export type Relay = {
  start(): Promise<void>
  /** Stops listening and drops every socket, as if the process had died. Broadcasts stay. */
  stop(): Promise<void>
  port(): number
  machineCount(): number
  /** Fault hook: this text to every page that is logged in. */
  sendToPages(text: string): void
  /** Fault hook: drops the sockets of pages, of one machine. */
  dropPages(): void
  dropMachine(id: string): void
}

const MAX_MESSAGE_BYTES = 64 * 1_048_576

const answerHttp: RequestListener = (request, response) => {
  // A page that lost its socket asks whether the host is there at all.
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.writeHead(request.url === '/ping' ? 200 : 404, { 'Content-Type': 'text/plain' }).end()
}

const createListener = ({ tls }: RelayOptions) =>
  tls === undefined ? createServer(answerHttp) : createSecureServer(tls, answerHttp)

const paths = ['/ws/account', '/ws/client']
const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? ''

export const createRelay = (options: RelayOptions): Relay => {
  const { shelf, port, paceMs, faults, now = Date.now, loginMs = 60_000, pingMs = 45_000 } = options
  const host = hostSockets(
    { what: 'the relay node', port, option: '--node-port, or move all four with --port' },
    () => {
      const rooms = createRooms(shelf, now)
      return {
        server: createListener(options),
        running: rooms,
        limits: { maxPayload: MAX_MESSAGE_BYTES },
        refuse: request => (paths.includes(pathOf(request)) ? undefined : 404),
        welcome: (socket, request) => {
          endAbruptly(socket)
          keepAlive(socket, pingMs)
          const isPage = pathOf(request) === '/ws/account'
          faults?.onSocket(socket, isPage ? 'page' : 'machine')
          if (isPage) servePage(socket, rooms, { now, loginMs })
          else serveMachine(socket, rooms, { now, loginMs, paceMs })
        },
      }
    },
  )
  const rooms = () => host.running()?.all() ?? []
  return {
    start: host.start,
    stop: host.stop,
    port: host.port,
    machineCount: () => rooms().reduce((sum, room) => sum + room.machineCount(), 0),
    sendToPages: text => {
      rooms().forEach(room =>
        room.pages().forEach(socket => {
          socket.send(text)
        }),
      )
    },
    dropPages: () => {
      rooms().forEach(room =>
        room.pages().forEach(socket => {
          socket.terminate()
        }),
      )
    },
    dropMachine: id => {
      rooms().forEach(room => room.machine(id)?.terminate())
    },
  }
}
