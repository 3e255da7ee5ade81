import { isLargerThan, MAX_MESSAGE_BYTES } from '../../protocol/json.ts'
import type { OpenSocket, Socket, SocketListener } from './hub.types.ts'

type SocketEvent = 'open' | 'message' | 'error' | 'close'

/** The common part of browser sockets and those of the `ws` package. */
type WebSocketLike = {
  binaryType: string
  readonly readyState: number
  send(data: string): void
  close(): void
  addEventListener(type: SocketEvent, listener: (event: object) => void): void
}

const OPEN = 1

/** Opens sockets of a class: `openSocketWith(url => new WebSocket(url))`. A refused address reports `closed`. */
export function openSocketWith(create: (url: string) => WebSocketLike): OpenSocket {
  return (url, listener) => {
    let isListening = true
    const ifListening = (run: () => void) => {
      if (isListening) run()
    }
    const socket = connect(create, url, listener, ifListening, () => {
      isListening = false
      socket?.close()
      listener.refused?.({ kind: 'too-large', limit: MAX_MESSAGE_BYTES })
      listener.closed()
    })
    return {
      send(text) {
        if (socket?.readyState === OPEN) socket.send(text)
      },
      close() {
        isListening = false
        socket?.close()
      },
    } satisfies Socket
  }
}

function connect(
  create: (url: string) => WebSocketLike,
  url: string,
  listener: SocketListener,
  ifListening: (run: () => void) => void,
  refuse: () => void,
): WebSocketLike | undefined {
  const closed = () => ifListening(listener.closed)
  try {
    const socket = create(url)
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => ifListening(listener.opened))
    socket.addEventListener('message', event =>
      ifListening(() => {
        const data = dataOf(event)
        if (isTooLarge(data)) refuse()
        else listener.received(data)
      }),
    )
    // `close` follows. Node throws an error that has no listener.
    socket.addEventListener('error', () => undefined)
    socket.addEventListener('close', closed)
    return socket
  } catch {
    // Refused addresses and forbidden ports are reported as closed, after the caller has got the socket.
    queueMicrotask(closed)
    return undefined
  }
}

function isTooLarge(data: string | ArrayBuffer): boolean {
  return typeof data === 'string' ? isLargerThan(data, MAX_MESSAGE_BYTES) : data.byteLength > MAX_MESSAGE_BYTES
}

function dataOf(event: object): string | ArrayBuffer {
  const data: unknown = 'data' in event ? event.data : undefined
  return typeof data === 'string' || data instanceof ArrayBuffer ? data : ''
}
