import type { RequestListener } from 'node:http'
import type { SimulatedClient } from '../clients/types.ts'
import type { Faults } from '../faults/faults.ts'
import { createSocketEndpoint, hostSockets } from '../../host/sockets.ts'
import { pathOf } from '../../host/server.ts'
import { serveDirectSocket, type DirectTimes } from './direct-socket.ts'
import type { OriginRule } from './origins.ts'

export type DirectServerOptions = {
  client: SimulatedClient
  port: number
  allows: OriginRule
  times: DirectTimes
  faults?: Faults | undefined
  /** Redirect target for browsers that open the address. */
  redirect: string
  /** Milliseconds for the headers of a request. */
  requestMs?: number | undefined
}

const MAX_MESSAGE_BYTES = 1_048_576
const CALLBACK = /^[\w.]{1,64}$/

/** The client's HTTP endpoints (docs/protocol.md §10). */
function answerHttp({ allows, redirect }: DirectServerOptions): RequestListener {
  return (request, response) => {
    const path = pathOf(request)
    const callback = new URLSearchParams(request.url?.slice(path.length + 1)).get('callback')
    if (!allows(request.headers.origin)) response.writeHead(401).end()
    else if (request.method !== 'GET') response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found')
    else if (path === '/api/websocket') response.writeHead(400).end()
    else if (path === '/ping' && callback !== null) {
      if (CALLBACK.test(callback))
        response
          .writeHead(200, { 'Content-Type': 'text/javascript' })
          .end(`${callback}(${JSON.stringify({ redirect })})`)
      else response.writeHead(400).end()
    } else response.writeHead(307, { Location: redirect }).end()
  }
}

/** The WebSocket server of a client: `ws://127.0.0.1:PORT/api/websocket`. */
export function createDirectServer(options: DirectServerOptions) {
  const { client, allows, times, faults, port, requestMs } = options
  const host = hostSockets(
    { what: 'the simulated local client', port, option: '--direct-port, or move all four with --port' },
    () => {
      const endpoint = createSocketEndpoint({ maxPayload: MAX_MESSAGE_BYTES, autoPong: false }, socket => {
        faults?.onSocket(socket, 'direct')
        serveDirectSocket(socket, client, times)
      })
      return {
        running: client,
        answer: answerHttp(options),
        ...(requestMs === undefined ? {} : { limits: { requestMs } }),
        endpoints: [endpoint],
        route: ({ headers, url }) => (!allows(headers.origin) ? 401 : url === '/api/websocket' ? endpoint : 404),
      }
    },
  )
  return {
    start: host.start,
    stop: host.stop,
    port: host.port,
    isListening: () => host.running() !== undefined,
    /** For tests: send a text to every reader; drop every reader. */
    sendToAll: (text: string): void => host.sockets().forEach(socket => socket.send(text)),
    dropAll: (): void => host.sockets().forEach(socket => socket.terminate()),
  }
}

export type DirectServer = ReturnType<typeof createDirectServer>
