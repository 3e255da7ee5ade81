import type { WebSocket } from 'ws'
import { createPacedQueue } from './paced-queue.ts'

/**
 * Makes a socket end the way the real peers end it: TCP is dropped and no Close frame is ever sent, not even as the answer
 * to one (docs/protocol.md §1), so that a browser sees 1006. `ws` itself closes through this method when a peer breaks the
 * protocol.
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
    // One that is not read from cannot be heard to answer.
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

/** Text of a frame: the peers treat text and binary alike. */
export const textOf = (data: WebSocket.RawData): string => {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8')
}

/** Enough for any honest lag; a peer that reads nothing must not fill the memory. */
export const MAX_UNREAD_BYTES = 64 * 1_048_576

/** Sends to a socket that is open, and drops one whose peer has stopped reading. */
export const sendBounded = (socket: WebSocket, text: string): void => {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
  else socket.send(text)
}

/** Messages one by one. A mistake in handling one ends this socket and nothing else. */
export const onText = (socket: WebSocket, handle: (text: string) => void): void => {
  socket.on('message', data => {
    terminateOnError(socket, () => {
      handle(textOf(data))
    })
  })
}

const terminateOnError = (socket: WebSocket, work: () => void): void => {
  try {
    work()
  } catch {
    socket.terminate()
  }
}

const MAX_PENDING_MESSAGES = 4_096
const MAX_PENDING_CHARACTERS = 16 * 1_048_576

export type PacedReader = { add(text: string): void; clear(): void }

/**
 * Messages of this socket that are acted on one every `paceMs`. While too many wait, nothing more is read from the
 * socket: whoever floods it holds up itself alone.
 */
export const createPacedReader = (socket: WebSocket, paceMs: number, handle: (text: string) => void): PacedReader => {
  let messages = 0
  let characters = 0
  const isFull = (share: number): boolean =>
    messages > share * MAX_PENDING_MESSAGES || characters > share * MAX_PENDING_CHARACTERS

  const queue = createPacedQueue<string>(paceMs, text => {
    messages -= 1
    characters -= text.length
    if (socket.isPaused && !isFull(0.5)) socket.resume()
    terminateOnError(socket, () => {
      handle(text)
    })
  })
  return {
    add: text => {
      messages += 1
      characters += text.length
      if (isFull(1)) socket.pause()
      queue.add(text)
    },
    clear: () => {
      messages = characters = 0
      queue.clear()
    },
  }
}
