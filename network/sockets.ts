import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { ServerOptions, WebSocket } from 'ws'
import { closeServer, listen } from './listen.ts'
import type { Place } from './listen.ts'

export type Opening<Running> = {
  /** Made anew each time that it starts. */
  server: Server | SecureServer
  /** What there is while it runs. */
  running: Running
  limits: Pick<ServerOptions, 'maxPayload' | 'autoPong'>
  /** An HTTP status when nobody is let in. */
  refuse: (request: IncomingMessage) => 401 | 404 | undefined
  welcome: (socket: WebSocket, request: IncomingMessage) => void
}

export type SocketHost<Running> = {
  start: () => Promise<void>
  /** Stops listening and drops every socket, as if the process had died. */
  stop: () => Promise<void>
  port: () => number
  /** Undefined while it does not listen. */
  running: () => Running | undefined
  sockets: () => readonly WebSocket[]
}

const refusals = { 401: 'Unauthorized', 404: 'Not Found' } as const

/** Something on a port that speaks over WebSockets, and can be stopped and started again at the same port. */
export const hostSockets = <Running>(place: Place, open: () => Opening<Running>): SocketHost<Running> => {
  let { port } = place
  let now: { running: Running; sockets: WebSocketServer; server: Server | SecureServer } | undefined

  const start = async (): Promise<void> => {
    if (now !== undefined) return
    const { server, running, limits, refuse, welcome } = open()
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...limits })
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      const status = refuse(request)
      if (status !== undefined)
        stream.end(`HTTP/1.1 ${status} ${refusals[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      else
        sockets.handleUpgrade(request, stream, head, socket => {
          welcome(socket, request)
        })
    })
    port = await listen(server, { ...place, port })
    now = { running, sockets, server }
  }

  const stop = async (): Promise<void> => {
    const stopping = now
    now = undefined
    stopping?.sockets.clients.forEach(socket => {
      socket.terminate()
    })
    if (stopping !== undefined) await closeServer(stopping.server)
  }

  return {
    start,
    stop,
    port: () => port,
    running: () => now?.running,
    sockets: () => [...(now?.sockets.clients ?? [])],
  }
}
