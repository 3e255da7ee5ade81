import { createServer, type IncomingMessage, type RequestListener, type ServerOptions as HttpOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Socket, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { StartError } from './start-error.ts'

/** The port is in use. The message names the option that changes it. */
export class PortTaken extends StartError {
  readonly port: number
  readonly what: string
  readonly option: string

  constructor(what: string, port: number, option: string) {
    super(
      `Port ${port}, wanted for ${what}, is already taken. Stop the other program or choose another port with ${option}.`,
    )
    this.port = port
    this.what = what
    this.option = option
  }
}

/** An address to listen at that is not one of this computer. */
export class AddressUnavailable extends StartError {
  constructor(host: string) {
    super(`${host} is not an address of this computer. Choose another one with --listen.`)
  }
}

/** `host` is an IP address of this computer; without one, IPv4 loopback. */
export type ListenAddress = { what: string; port: number; option: string; host?: string | undefined }

export type ServerLimits = {
  /** Milliseconds until the headers of a request must be complete; three times as long for the whole request. */
  requestMs: number
  /** Maximum number of connections. Further ones are dropped. */
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

/** Takes over an upgraded connection. Its errors are handled already: it needs no listener for them. */
export type Accept = (request: IncomingMessage, stream: Socket, head: Buffer) => void

/** A certificate with its chain, and its private key (PEM). */
export type CertifiedKey = { key: string; cert: string }

export type ServerOptions = {
  place: ListenAddress
  /** Errors and rejections are answered with status 400. */
  answer: (...args: Parameters<RequestListener>) => void | Promise<void>
  /** Returns the handler of an upgrade, or the status with which it is refused. */
  upgrade: (request: IncomingMessage) => Accept | Refusal
  /** `https:` and `wss:` instead of `http:` and `ws:`. */
  tls?: CertifiedKey | undefined
  limits?: Partial<ServerLimits>
}

export type RunningServer = {
  readonly port: number
  /** New connections get this certificate. Only for a server that has one. */
  readonly setCertificate: (tls: CertifiedKey) => void
  /** Stops listening and drops all connections at once. */
  readonly close: () => Promise<void>
}

/** Idle connections are dropped after this time, unless upgraded. */
const IDLE_MS = 60_000
const KEEP_ALIVE_MS = 5_000
const MAX_HEADER_BYTES = 16_384
/** A refused peer that does not read the answer is dropped after this time. */
const REFUSAL_MS = 1_000

/** Resolves with the port (0 requests any free one). */
function listen(server: Server, { what, port, option, host = '127.0.0.1' }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') reject(new PortTaken(what, port, option))
      else if (error.code === 'EADDRNOTAVAIL') reject(new AddressUnavailable(host))
      else reject(error)
    }
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Refuses an upgrade with a status and closes the connection. */
export function refuseUpgrade(stream: Socket, status: Refusal): void {
  stream.setTimeout(REFUSAL_MS, () => stream.destroy())
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${REFUSALS[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

/**
 * Opens a port. All servers of this network use it, so that resets, half-closed connections, endless headers and
 * garbage end one connection only.
 */
export async function openServer(options: ServerOptions): Promise<RunningServer> {
  const { place, answer, upgrade, tls } = options
  const { requestMs, connections } = { ...DEFAULT_LIMITS, ...options.limits }
  const http: HttpOptions = {
    headersTimeout: requestMs,
    requestTimeout: 3 * requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's default of 30 s would extend the timeout of headers by that much.
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
  const secure =
    tls === undefined ? undefined : createSecureServer({ ...http, ...tls, handshakeTimeout: requestMs }, handle)
  const server = secure ?? createServer(http, handle)
  server.maxConnections = connections
  server.setTimeout(IDLE_MS)

  const open = new Set<Socket>()
  const track = (socket: Socket): void => {
    // Node removes its own listener on upgrade, and an error without a listener would end the process.
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
  // For example too many open files: existing connections are not affected.
  server.on('error', () => undefined)
  return {
    port,
    setCertificate: renewed => secure?.setSecureContext(renewed),
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
export function pathOf({ url }: IncomingMessage): string {
  return url?.split('?')[0] ?? '/'
}
