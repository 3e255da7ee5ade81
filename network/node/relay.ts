import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { closeServer, listen } from '../listen.ts'
import { endAbruptly, keepAlive } from './abrupt-socket.ts'
import { serveMachine } from './machine-side.ts'
import { servePage } from './page-side.ts'
import { createRooms } from './rooms.ts'
import type { Rooms } from './rooms.ts'
import type { Shelf } from './shelf.ts'

export type RelayOptions = {
  port: number
  shelf: Shelf
  /** Milliseconds for each message of a machine; 0 passes everything on at once. */
  paceMs: number
  /** wss:// instead of ws://. */
  tls?: { key: string; cert: string } | undefined
  now?: () => number
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

const createListener = ({ tls }: RelayOptions) => (tls === undefined ? createServer(answerHttp) : createSecureServer(tls, answerHttp))

export const createRelay = (options: RelayOptions): Relay => {
  const { shelf, paceMs, now = Date.now, loginMs = 60_000, pingMs = 45_000 } = options
  let { port } = options
  let running: { rooms: Rooms; stop: () => Promise<void> } | undefined

  const welcome = (rooms: Rooms, path: string | undefined, socket: WebSocket): void => {
    endAbruptly(socket)
    keepAlive(socket, pingMs)
    if (path === '/ws/account') servePage(socket, rooms, { now, loginMs })
    else serveMachine(socket, rooms, { now, loginMs, paceMs })
  }

  const start = async (): Promise<void> => {
    if (running !== undefined) return
    const rooms = createRooms(shelf, now)
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES })
    const server = createListener(options)
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      const path = request.url?.split('?')[0]
      if (path !== '/ws/account' && path !== '/ws/client') stream.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
      else sockets.handleUpgrade(request, stream, head, (socket) => { welcome(rooms, path, socket) })
    })
    port = await listen(server, { what: 'the relay node', port, option: '--node-port, or move all four with --port' })
    running = {
      rooms,
      stop: async () => {
        for (const socket of sockets.clients) socket.terminate()
        await closeServer(server)
      },
    }
  }

  return {
    start,
    stop: async () => {
      const stopping = running
      running = undefined
      await stopping?.stop()
    },
    port: () => port,
    machineCount: () => running?.rooms.all().reduce((sum, room) => sum + room.machineCount(), 0) ?? 0,
    sendToPages: (text) => running?.rooms.all().forEach((room) => room.pages().forEach((socket) => { socket.send(text) })),
    dropPages: () => running?.rooms.all().forEach((room) => room.pages().forEach((socket) => { socket.terminate() })),
    dropMachine: (id) => running?.rooms.all().forEach((room) => room.machine(id)?.terminate()),
  }
}
