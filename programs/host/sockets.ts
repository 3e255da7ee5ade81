import type { IncomingMessage } from 'node:http'
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws'
import {
  openServer,
  type Accept,
  type ListenAddress,
  type Refusal,
  type RunningServer,
  type ServerOptions as HttpServerOptions,
} from './server.ts'

/** Accepts WebSockets of one kind. */
export type SocketEndpoint = {
  readonly accept: Accept
  readonly sockets: () => readonly WebSocket[]
}

type SocketEndpointOptions = Pick<ServerOptions, 'maxPayload' | 'autoPong' | 'perMessageDeflate'>

export function createSocketEndpoint(
  options: SocketEndpointOptions,
  onSocket: (socket: WebSocket, request: IncomingMessage) => void,
): SocketEndpoint {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...options })
  return {
    accept: (request, stream, head) => {
      server.handleUpgrade(request, stream, head, socket => {
        // Invalid frames and resets are reported as errors; the 'close' event that follows is handled.
        socket.on('error', () => undefined)
        onSocket(socket, request)
      })
    },
    sockets: () => [...server.clients],
  }
}

export type HostedService<Running> = {
  /** The service that runs behind the sockets. */
  running: Running
  endpoints: readonly SocketEndpoint[]
  route: (request: IncomingMessage) => SocketEndpoint | Refusal
} & Pick<HttpServerOptions, 'answer' | 'tls' | 'limits'>

export type SocketHost<Running> = {
  start: () => Promise<void>
  /** Stops listening and drops every socket, as if the process had died. */
  stop: () => Promise<void>
  port: () => number
  /** Undefined if stopped. */
  running: () => Running | undefined
  sockets: () => readonly WebSocket[]
}

/** A WebSocket service on a port that can be stopped and restarted on the same port. */
export function hostSockets<Running>(place: ListenAddress, open: () => HostedService<Running>): SocketHost<Running> {
  let { port } = place
  let now: { running: Running; endpoints: readonly SocketEndpoint[]; server: RunningServer } | undefined

  const start = async (): Promise<void> => {
    if (now !== undefined) return
    const { running, endpoints, route, answer, tls, limits } = open()
    const server = await openServer({
      place: { ...place, port },
      answer,
      tls,
      ...(limits === undefined ? {} : { limits }),
      upgrade: request => {
        const endpoint = route(request)
        return typeof endpoint === 'number' ? endpoint : endpoint.accept
      },
    })
    port = server.port
    now = { running, endpoints, server }
  }

  const stop = async (): Promise<void> => {
    const stopping = now
    now = undefined
    stopping?.endpoints.forEach(endpoint => {
      endpoint.sockets().forEach(socket => {
        socket.terminate()
      })
    })
    await stopping?.server.close()
  }

  return {
    start,
    stop,
    port: () => port,
    running: () => now?.running,
    sockets: () => now?.endpoints.flatMap(endpoint => endpoint.sockets()) ?? [],
  }
}
