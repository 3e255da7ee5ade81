import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import type { ServerOptions, WebSocket } from 'ws'
import { openServer } from './server.ts'
import type { Accept, Place, Refusal, RunningServer, ServerOptions as HttpServerOptions } from './server.ts'

/** Where upgrades of one kind become WebSockets. */
export type Door = {
  readonly accept: Accept
  readonly sockets: () => readonly WebSocket[]
}

type DoorOptions = Pick<ServerOptions, 'maxPayload' | 'autoPong' | 'perMessageDeflate'>

export const createDoor = (
  options: DoorOptions,
  welcome: (socket: WebSocket, request: IncomingMessage) => void,
): Door => {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...options })
  return {
    accept: (request, stream, head) => {
      server.handleUpgrade(request, stream, head, socket => {
        // Broken frames and resets are reported here first; the 'close' event that follows tells all that matters.
        socket.on('error', () => undefined)
        welcome(socket, request)
      })
    },
    sockets: () => [...server.clients],
  }
}

export type Opening<Running> = {
  /** What there is while it runs. */
  running: Running
  doors: readonly Door[]
  enter: (request: IncomingMessage) => Door | Refusal
} & Pick<HttpServerOptions, 'answer' | 'tls' | 'limits'>

export type SocketHost<Running> = {
  start: () => Promise<void>
  /** Stops listening and drops every socket, as if the process had died. */
  stop: () => Promise<void>
  port: () => number
  /** Undefined while it does not listen. */
  running: () => Running | undefined
  sockets: () => readonly WebSocket[]
}

/** Something on a port that speaks over WebSockets, and can be stopped and started again at the same port. */
export const hostSockets = <Running>(place: Place, open: () => Opening<Running>): SocketHost<Running> => {
  let { port } = place
  let now: { running: Running; doors: readonly Door[]; server: RunningServer } | undefined

  const start = async (): Promise<void> => {
    if (now !== undefined) return
    const { running, doors, enter, answer, tls, limits } = open()
    const server = await openServer({
      place: { ...place, port },
      answer,
      tls,
      ...(limits === undefined ? {} : { limits }),
      upgrade: request => {
        const door = enter(request)
        return typeof door === 'number' ? door : door.accept
      },
    })
    port = server.port
    now = { running, doors, server }
  }

  const stop = async (): Promise<void> => {
    const stopping = now
    now = undefined
    stopping?.doors.forEach(door => {
      door.sockets().forEach(socket => {
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
    sockets: () => now?.doors.flatMap(door => door.sockets()) ?? [],
  }
}
