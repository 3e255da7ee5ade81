import { once } from 'node:events'
import { WebSocket } from 'ws'
import { textOf } from '../node/abrupt-socket.ts'

/** A WebSocket that queues received messages, so that a test misses none. */
export type TestSocket = {
  readonly socket: WebSocket
  send(text: string): void
  /** The next matching message that was not returned before. */
  next(fits?: (text: string) => boolean): Promise<string>
  readonly closed: Promise<number>
  drop(): void
}

export const listenTo = async (url: string, headers: Record<string, string> = {}): Promise<TestSocket> => {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  const heard: string[] = []
  let look: (() => void) | undefined
  socket.on('message', data => {
    heard.push(textOf(data))
    look?.()
  })
  const closed = new Promise<number>(resolve => {
    socket.on('close', resolve)
  })
  await once(socket, 'open')
  socket.on('error', () => undefined)

  const take = (fits: (text: string) => boolean): string | undefined => {
    const index = heard.findIndex(fits)
    return index < 0 ? undefined : heard.splice(index, 1)[0]
  }

  return {
    socket,
    send: text => {
      socket.send(text)
    },
    next: async (fits = () => true) => {
      for (;;) {
        const found = take(fits)
        if (found !== undefined) return found
        await new Promise<void>(resolve => {
          look = resolve
        })
      }
    },
    closed,
    drop: () => {
      socket.terminate()
    },
  }
}
