import { once } from 'node:events'
import { WebSocket } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'

/** A WebSocket that queues received messages, so that a test misses none. */
export type TestSocket = {
  readonly socket: WebSocket
  send(text: string): void
  /** The next matching message that was not returned before. */
  next(matches?: (text: string) => boolean): Promise<string>
  readonly closed: Promise<number>
  drop(): void
}

export async function openTestSocket(url: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  const received: string[] = []
  let notify: (() => void) | undefined
  socket.on('message', data => {
    received.push(textOf(data))
    notify?.()
  })
  const closed = new Promise<number>(resolve => {
    socket.on('close', resolve)
  })
  await once(socket, 'open')
  socket.on('error', () => undefined)

  const take = (matches: (text: string) => boolean): string | undefined => {
    const index = received.findIndex(matches)
    return index < 0 ? undefined : received.splice(index, 1)[0]
  }

  return {
    socket,
    send: text => {
      socket.send(text)
    },
    next: async (matches = () => true) => {
      for (;;) {
        const found = take(matches)
        if (found !== undefined) return found
        await new Promise<void>(resolve => {
          notify = resolve
        })
      }
    },
    closed,
    drop: () => {
      socket.terminate()
    },
  }
}
