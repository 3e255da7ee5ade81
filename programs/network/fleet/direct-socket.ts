import { WebSocket } from 'ws'
import { parseMessage } from '../../../src/protocol/json.ts'
import type { SimulatedClient } from '../clients/types.ts'
import { endAbruptly, MAX_UNREAD_BYTES, onText } from '../../host/abrupt-socket.ts'
import { createPacedReader } from '../node/paced-reader.ts'

export type DirectTimes = {
  /** Delay of each inbound frame (docs/protocol.md §1). */
  commandDelayMs: number
  /** The text "ping" is sent after this time without other messages. */
  silenceMs: number
  /** Interval of protocol pings, and the delay of pongs. */
  pingMs: number
  pongDelayMs: number
  closeDelayMs: number
}

export const DEFAULT_TIMES: DirectTimes = {
  commandDelayMs: 300,
  silenceMs: 15_000,
  pingMs: 25_000,
  pongDelayMs: 5_000,
  closeDelayMs: 300,
}

const MAX_FRAME_BYTES = 65_535

function sendText(socket: WebSocket, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) return
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) {
    socket.terminate()
    return
  }
  const bytes = Buffer.from(text, 'utf8')
  for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) {
    const end = at + MAX_FRAME_BYTES
    socket.send(bytes.subarray(at, end), { binary: false, fin: end >= bytes.length })
  }
}

/**
 * Sends a ping some time after each pong. Pings of a page within the delay get one pong, with the payload of the last.
 */
function exchangePings(socket: WebSocket, { pingMs, pongDelayMs }: DirectTimes): void {
  let lastPayload: Buffer | undefined
  let late: NodeJS.Timeout | undefined
  const ping = (): void => {
    if (socket.readyState === WebSocket.OPEN) socket.ping()
  }
  let next = setTimeout(ping, pingMs)
  socket.on('pong', () => {
    clearTimeout(next)
    next = setTimeout(ping, pingMs)
  })
  socket.on('ping', payload => {
    lastPayload = payload
    late ??= setTimeout(() => {
      late = undefined
      if (socket.readyState === WebSocket.OPEN) socket.pong(lastPayload)
    }, pongDelayMs)
  })
  socket.on('close', () => {
    clearTimeout(next)
    clearTimeout(late)
  })
}

/** Serves one reader on a direct socket (docs/protocol.md §1, §2 and §9). */
export function serveDirectSocket(socket: WebSocket, client: SimulatedClient, times: DirectTimes): void {
  const { commandDelayMs, silenceMs, closeDelayMs } = times
  endAbruptly(socket, closeDelayMs)
  exchangePings(socket, times)

  const silence = setTimeout(() => send('"ping"'), silenceMs)
  const send = (text: string): void => {
    silence.refresh()
    sendText(socket, text)
  }

  const port = client.attach(content => send(JSON.stringify(content)))
  const inbox = createPacedReader(socket, commandDelayMs, text => {
    const command = parseMessage(text)
    if (command.ok && port.receive(command.value) === 'ok') return
    inbox.clear()
    socket.removeAllListeners('message')
    socket.close()
  })

  onText(socket, text => inbox.add(text))
  socket.on('close', () => {
    clearTimeout(silence)
    inbox.clear()
    port.detach()
  })
}
