import type { WebSocket } from 'ws'

/**
 * Makes a socket end the way the real peers end it: TCP is dropped and no Close frame is ever sent, not even as the answer
 * to one (wire.md §1), so that a browser sees 1006. `ws` itself closes through this method when a peer breaks the protocol.
 */
export const endAbruptly = (socket: WebSocket, delayMs = 0): void => {
  socket.close = () => {
    if (delayMs === 0) socket.terminate()
    else
      setTimeout(() => {
        socket.terminate()
      }, delayMs)
  }
  // A broken frame is reported as an error before the socket is closed; the 'close' event tells all that matters.
  socket.on('error', () => undefined)
}

/** Protocol pings with empty payload; a peer that answers none of them in two rounds is gone. */
export const keepAlive = (socket: WebSocket, everyMs: number): void => {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate()
      return
    }
    answered = false
    socket.ping()
  }, everyMs)
  socket.on('close', () => {
    clearInterval(timer)
  })
}

/** Text of a frame: the peers treat text and binary alike. */
export const textOf = (data: WebSocket.RawData): string => {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8')
}
