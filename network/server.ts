import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerOptions as HttpOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Socket } from 'node:net'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'

/** A port that somebody else holds, with the option that chooses another. */
export class PortTaken extends Error {
  readonly port: number
  readonly what: string
  readonly option: string

  constructor(what: string, port: number, option: string) {
    super(
      `Port ${port}, wanted for ${what}, is already taken. Stop the other program or choose another port with ${option}.`,
    )
    this.name = 'PortTaken'
    this.port = port
    this.what = what
    this.option = option
  }
}

export type ListenAddress = { what: string; port: number; option: string }

export type ServerLimits = {
  /** Milliseconds in which the headers of a request must be complete; the whole request may take three times as long. */
  requestMs: number
  /** Connections at a time. Further ones are dropped as they come. */
  connections: number
}

export const DEFAULT_LIMITS: ServerLimits = { requestMs: 10_000, connections: 1_024 }

const REFUSALS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  502: 'Bad Gateway',
} as const
/** An HTTP status with which an upgrade to a WebSocket is refused. */
export type Refusal = keyof typeof REFUSALS

/** Takes an upgraded connection over. Its errors are handled already: it needs no listener for them. */
export type Accept = (request: IncomingMessage, stream: Socket, head: Buffer) => void

export type ServerOptions = {
  place: ListenAddress
  /** What it throws, or rejects with, is answered with status 400 and harms no other request. */
  answer: (...args: Parameters<RequestListener>) => void | Promise<void>
  /** Who takes an upgrade over, or why nobody does. */
  upgrade: (request: IncomingMessage) => Accept | Refusal
  /** `https:` and `wss:` instead of `http:` and `ws:`. */
  tls?: { key: string; cert: string } | undefined
  limits?: Partial<ServerLimits>
}

export type RunningServer = {
  readonly port: number
  /** Stops listening and lets go of every connection: nobody is waited for. */
  readonly close: () => Promise<void>
}

/** A connection on which nothing at all moves for so long is dropped, unless it was upgraded. */
const IDLE_MS = 60_000
const KEEP_ALIVE_MS = 5_000
const MAX_HEADER_BYTES = 16_384
/** A refused peer that does not even read the refusal is not waited for longer. */
const REFUSAL_MS = 1_000

/** Listens on IPv4 loopback only, and tells the port that it got (0 asks for any). */
const listen = (server: Server, { what, port, option }: ListenAddress): Promise<number> =>
  new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(what, port, option) : error)
    }
    server.once('error', refuse)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** Answers a request for a WebSocket with a status, and ends the connection. */
export const refuseUpgrade = (stream: Socket, status: Refusal): void => {
  stream.setTimeout(REFUSAL_MS, () => stream.destroy())
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${REFUSALS[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

/**
 * Every port of this network is opened here, so that what a peer does to its connection (reset, half-closed, endless
 * headers, garbage) ends that connection and nothing else.
 */
export const openServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { place, answer, upgrade, tls } = options
  const { requestMs, connections } = { ...DEFAULT_LIMITS, ...options.limits }
  const http: HttpOptions = {
    headersTimeout: requestMs,
    requestTimeout: 3 * requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node looks for late requests every 30 s by default, which lets a header of 10 s live for 40.
    connectionsCheckingInterval: Math.min(1_000, requestMs / 2),
    maxHeaderSize: MAX_HEADER_BYTES,
  }
  const handle: RequestListener = (request, response) => {
    const fail = (): void => {
      if (response.headersSent) response.destroy()
      else response.writeHead(400).end()
    }
    try {
      answer(request, response)?.catch(fail)
    } catch {
      fail()
    }
  }
  const server =
    tls === undefined
      ? createServer(http, handle)
      : createSecureServer({ ...http, ...tls, handshakeTimeout: requestMs }, handle)
  server.maxConnections = connections
  server.setTimeout(IDLE_MS)

  const open = new Set<Socket>()
  const track = (socket: Socket): void => {
    // Node takes its own listener away when a connection is upgraded; an error without any listener ends the process.
    socket.on('error', () => socket.destroy())
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  }
  server.on('connection', track)
  if (tls !== undefined) server.on('secureConnection', track)

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (!(stream instanceof Socket)) {
      stream.destroy()
      return
    }
    stream.setTimeout(0)
    const accept = upgrade(request)
    if (typeof accept === 'number') refuseUpgrade(stream, accept)
    else accept(request, stream, head)
  })

  const port = await listen(server, place)
  // Such as a lack of file handles: it goes on with the connections that it has.
  server.on('error', () => undefined)
  return {
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => {
          resolve()
        })
        for (const socket of open) socket.destroy()
      }),
  }
}

/** The path of a request, without its query. */
export const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? '/'
