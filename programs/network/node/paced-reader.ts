import type { WebSocket } from 'ws'
import { terminateOnError } from '../../host/abrupt-socket.ts'
import { createPacedQueue } from './paced-queue.ts'

const MAX_PENDING_MESSAGES = 4_096
const MAX_PENDING_CHARACTERS = 16 * 1_048_576

export type PacedReader = { add(text: string): void; clear(): void }

/**
 * A queue that handles one message of the socket every `paceMs`. While too many are pending, reading from the socket is
 * paused, so that a flood delays only its sender.
 */
export function createPacedReader(socket: WebSocket, paceMs: number, handle: (text: string) => void): PacedReader {
  let messages = 0
  let characters = 0
  const isFull = (share: number): boolean =>
    messages > share * MAX_PENDING_MESSAGES || characters > share * MAX_PENDING_CHARACTERS

  const queue = createPacedQueue<string>(paceMs, text => {
    messages -= 1
    characters -= text.length
    if (socket.isPaused && !isFull(0.5)) socket.resume()
    terminateOnError(socket, () => handle(text))
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
