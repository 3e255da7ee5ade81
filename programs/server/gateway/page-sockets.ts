import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { endAbruptly, keepAlive, onText } from '../../host/abrupt-socket.ts'
import { createSocketEndpoint } from '../../host/sockets.ts'
import type { Accept, Refusal } from '../../host/server.ts'
import type { Exchange } from './exchange.ts'
import type { Outlets } from './outlets.ts'
import { readPageMessage, type ControlRequest } from './page-command.ts'

/** Who opened a socket, and until when it may stay open. */
export type SocketGrant = {
  /** The identity whose budget it uses. */
  readonly name: string
  /** What it sends and may not send is answered with nothing, as the protocol has no refusals. */
  readonly onCommand: (request: ControlRequest) => void
  /** Calls back when the session ends. Returns what stops that. */
  readonly whenOver: (end: () => void) => () => void
}

export type PageSockets = {
  /** Opens a socket with a client's protocol, or refuses it. */
  readonly accept: (exchange: Exchange, grant: SocketGrant) => Accept | Refusal
  readonly count: () => number
  readonly stop: () => void
}

/** A client closes connections that send more (docs/protocol.md §1). */
const MOST_BYTES = 1_048_576
/** As a client: after this time without messages a ping in text form (docs/protocol.md §1). */
const SILENCE_MS = 15_000
const KEEP_ALIVE_MS = 30_000
/** A client reads about three messages a second; a page sends a few at once when it connects. */
const MOST_MESSAGES = 60
/** Of another server, whose pages ask together. */
export const MOST_PEER_MESSAGES = 1000
const PER_MS = 10_000

export function createPageSockets(outlets: Outlets, mostMessages = MOST_MESSAGES): PageSockets {
  const granted = new WeakMap<IncomingMessage, { readonly exchange: Exchange; readonly grant: SocketGrant }>()

  const serve = (socket: WebSocket, exchange: Exchange, grant: SocketGrant): void => {
    endAbruptly(socket)
    const end = (): void => socket.terminate()
    const outlet = outlets.open(grant.name, 'socket', { waiting: () => socket.bufferedAmount, end })
    if (outlet === undefined) {
      end()
      return
    }
    keepAlive(socket, KEEP_ALIVE_MS)
    const silence = setTimeout(() => send('"ping"'), SILENCE_MS)
    const send = (text: string, onSent?: () => void): void => {
      if (socket.readyState !== socket.OPEN) return
      silence.refresh()
      socket.send(text, onSent)
      outlet.wrote()
    }
    socket.on('close', () => {
      clearTimeout(silence)
      outlet.close()
    })
    const reading = exchange.join({ sendText: send, close: end })
    if (reading === undefined) {
      end()
      return
    }
    const cancelEnd = grant.whenOver(() => socket.terminate())
    let tokens = mostMessages
    const refill = setInterval(() => (tokens = mostMessages), PER_MS)
    onText(socket, text => {
      const message = tokens-- > 0 ? readPageMessage(text, exchange.data()) : { kind: 'invalid' as const }
      if (message.kind === 'invalid') socket.terminate()
      else if (message.kind === 'stream') reading.request(message.request)
      else if (message.kind === 'control') grant.onCommand(message.request)
    })
    socket.on('close', () => {
      clearInterval(refill)
      cancelEnd()
      reading.leave()
    })
  }

  const endpoint = createSocketEndpoint({ maxPayload: MOST_BYTES }, (socket, request) => {
    const entry = granted.get(request)
    if (entry === undefined) socket.terminate()
    else serve(socket, entry.exchange, entry.grant)
  })

  return {
    accept: (exchange, grant) => {
      // As when nothing listens at the client's address: the page reports that it is disconnected, and tries again.
      if (exchange.data() === undefined) return 502
      return (request, stream, head) => {
        granted.set(request, { exchange, grant })
        endpoint.accept(request, stream, head)
      }
    },
    count: () => endpoint.sockets().length,
    stop: () => {
      for (const socket of endpoint.sockets()) socket.terminate()
    },
  }
}
