import type { WebSocket } from 'ws'

/**
 * Makes a socket close as the real peers do: the TCP connection is dropped without a Close frame, not even in answer to
 * one (docs/protocol.md §1), so that a browser reports 1006. `ws` calls `close` itself when a peer violates the
 * protocol.
 */
export function endAbruptly(socket: WebSocket, delayMs = 0): void {
  socket.close = () => {
    if (delayMs === 0) socket.terminate()
    else
      setTimeout(() => {
        socket.terminate()
      }, delayMs)
  }
  // Invalid frames are reported as errors; the 'close' event that follows is handled.
  socket.on('error', () => undefined)
}

/** Sends protocol pings with an empty payload, and terminates a socket that misses two in a row. */
export function keepAlive(socket: WebSocket, everyMs: number): void {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    // No pong can arrive while reading is paused.
    if (socket.isPaused) return
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

/** Text of a frame, text or binary: the peers treat both alike. */
export function textOf(data: WebSocket.RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8')
}

/** Limit of unsent bytes: a peer that does not read must not fill the memory. */
export const MAX_UNREAD_BYTES = 64 * 1_048_576

/** Sends to an open socket, and terminates it if its peer has stopped reading. */
export function sendBounded(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
  else socket.send(text)
}

/** Handles each message. An error in the handler terminates this socket only. */
export function onText(socket: WebSocket, handle: (text: string) => void): void {
  socket.on('message', data => {
    terminateOnError(socket, () => {
      handle(textOf(data))
    })
  })
}

/** An error of the work terminates this socket only. */
export function terminateOnError(socket: WebSocket, work: () => void): void {
  try {
    work()
  } catch {
    socket.terminate()
  }
}
