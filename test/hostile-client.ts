import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'

/** What a hostile client does with each connection. */
export type Attack = (send: (content: unknown) => Promise<void>, socket: WebSocket) => Promise<void>

/** A program that is no real client: each connection to it is attacked. */
export async function startHostileClient(attack: Attack) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  let connections = 0
  let ended = 0
  server.on('connection', socket => {
    connections++
    socket.on('close', () => ended++)
    socket.on('error', () => undefined)
    const isOpen = (): boolean => socket.readyState === socket.OPEN
    const send = async (content: unknown): Promise<void> => {
      if (!isOpen()) throw new Error('The connection is over.')
      socket.send(typeof content === 'string' ? content : JSON.stringify(content))
      // As fast as the other side reads, and never so fast that this process has nothing else to do.
      do await new Promise(resolve => setImmediate(resolve))
      while (isOpen() && socket.bufferedAmount > 4_000_000)
    }
    attack(send, socket).catch(() => undefined)
  })
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    connections: () => connections,
    /** Connections that are over. */
    ended: () => ended,
    stop: () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/** A program at whose port no WebSocket is spoken. */
export async function startRawServer(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Sends a text in so many pieces, as the fragments of one message. */
export async function sendFragments(socket: WebSocket, count: number): Promise<void> {
  for (let at = 0; at < count && socket.readyState === socket.OPEN; at++) {
    socket.send(at === 0 ? '"' : 'x', { fin: false })
    if (at % 1000 === 0) await delay(0)
  }
}
