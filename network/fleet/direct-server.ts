import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { SimulatedClient } from '../clients/types.ts'
import { closeServer, listen } from '../listen.ts'
import { serveDirectSocket } from './direct-socket.ts'
import type { DirectTimes } from './direct-socket.ts'
import type { OriginRule } from './origins.ts'

export type DirectServerOptions = {
  client: SimulatedClient
  port: number
  allows: OriginRule
  times: DirectTimes
  /** Where a person who opens the address in a browser is sent. */
  redirect: string
}

export type DirectServer = {
  start(): Promise<void>
  stop(): Promise<void>
  port(): number
  isListening(): boolean
  /** Fault hooks: this text to every reader; every reader dropped. */
  sendToAll(text: string): void
  dropAll(): void
}

const MAX_MESSAGE_BYTES = 1_048_576
const CALLBACK = /^[\w.]{1,64}$/

/** The few things that a client answers over HTTP (wire.md §10). */
const answerHttp = ({ allows, redirect }: DirectServerOptions): RequestListener => (request, response) => {
  const url = new URL(request.url ?? '/', 'http://client')
  if (!allows(request.headers.origin)) response.writeHead(401).end()
  else if (request.method !== 'GET') response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found')
  else if (url.pathname === '/api/websocket') response.writeHead(400).end()
  else if (url.pathname === '/ping') {
    const callback = url.searchParams.get('callback') ?? ''
    if (CALLBACK.test(callback)) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(`${callback}(${JSON.stringify({ redirect })})`)
    else response.writeHead(400).end()
  } else response.writeHead(307, { Location: redirect }).end()
}

/** A client's own port: `ws://127.0.0.1:PORT/api/websocket`. */
export const createDirectServer = (options: DirectServerOptions): DirectServer => {
  const { client, allows, times } = options
  let { port } = options
  let running: { sockets: WebSocketServer; stop: () => Promise<void> } | undefined

  const start = async (): Promise<void> => {
    if (running !== undefined) return
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES, autoPong: false })
    const server = createServer(answerHttp(options))
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      if (!allows(request.headers.origin)) stream.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      else if (request.url !== '/api/websocket') stream.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      else sockets.handleUpgrade(request, stream, head, (socket) => { serveDirectSocket(socket, client, times) })
    })
    port = await listen(server, { what: 'the simulated local client', port, option: '--direct-port, or move all four with --port' })
    running = {
      sockets,
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
    isListening: () => running !== undefined,
    sendToAll: (text) => running?.sockets.clients.forEach((socket) => { socket.send(text) }),
    dropAll: () => running?.sockets.clients.forEach((socket) => { socket.terminate() }),
  }
}
