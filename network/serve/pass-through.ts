import { request as ask } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isOwnPage } from './loopback.ts'

export type Address = { host: string; port: number }

export type PassThroughOptions = {
  /** The port of the dashboard, which Host and Origin must name. */
  port: () => number
  /** The local client, and who takes its place when nothing listens there. */
  client: Address
  standIn: () => Address | undefined
  /** Told who answers, whenever that changes. */
  onPeer: (peer: 'client' | 'stand-in' | 'nobody') => void
}

const CONNECT_MS = 3_000

const refuse = (page: Duplex, status: string): void => {
  page.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

/**
 * Asks a client for a WebSocket in the page's name: with the page's key, so that what follows can be passed on byte by byte,
 * and without its Origin, since current clients refuse those of others (wire.md §10). The page was checked before.
 */
const openClient = ({ host, port }: Address, key: string): Promise<{ socket: Duplex; head: Buffer; accept: string }> =>
  new Promise((resolve, reject) => {
    const asking = ask({
      host,
      port,
      path: '/api/websocket',
      headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key },
      timeout: CONNECT_MS,
    })
    asking.on('upgrade', (response, socket, head) => {
      socket.setTimeout(0)
      resolve({ socket, head, accept: response.headers['sec-websocket-accept'] ?? '' })
    })
    asking.on('response', response => {
      response.destroy()
      reject(new Error(`The client answered with status ${response.statusCode ?? 0}`))
    })
    asking.on('timeout', () => asking.destroy(new Error('The client does not answer')))
    asking.on('error', reject)
    asking.end()
  })

/** Either side's end, clean or not, ends the other at once; the pipes hold a fast writer back while the reader is slow. */
const join = (page: Duplex, client: Duplex): void => {
  for (const [one, other] of [
    [page, client],
    [client, page],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
    one.pipe(other)
  }
}

export const createPassThrough = ({ port, client, standIn, onPeer }: PassThroughOptions) => {
  const openAny = async (key: string): ReturnType<typeof openClient> => {
    try {
      const opened = await openClient(client, key)
      onPeer('client')
      return opened
    } catch (error) {
      const other = standIn()
      if (other === undefined) {
        onPeer('nobody')
        throw error
      }
      const opened = await openClient(other, key)
      onPeer('stand-in')
      return opened
    }
  }

  return async (request: IncomingMessage, page: Duplex, head: Buffer): Promise<void> => {
    page.on('error', () => page.destroy())
    const { origin, host } = request.headers
    const key = request.headers['sec-websocket-key']
    if (!isOwnPage(origin, host, port())) {
      refuse(page, '403 Forbidden')
      return
    }
    if (
      request.headers.upgrade?.toLowerCase() !== 'websocket' ||
      key === undefined ||
      request.headers['sec-websocket-version'] !== '13'
    ) {
      refuse(page, '400 Bad Request')
      return
    }
    try {
      const opened = await openAny(key)
      if (page.destroyed) {
        opened.socket.destroy()
        return
      }
      page.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${opened.accept}\r\n\r\n`,
      )
      if (opened.head.length > 0) page.write(opened.head)
      if (head.length > 0) opened.socket.write(head)
      join(page, opened.socket)
    } catch {
      refuse(page, '502 Bad Gateway')
    }
  }
}
