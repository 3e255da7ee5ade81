import { request as ask, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { refuseUpgrade, type Accept, type Refusal } from './server.ts'

export type Address = { host: string; port: number }

/** What answers at the client's address: `silent`: no answer in time, `other`: a program that opens no WebSocket. */
export type Peer = 'client' | 'simulated' | 'none' | 'silent' | 'other'

export type PassThroughOptions = {
  /** The local client, and its replacement if none is listening. */
  client: Address
  standIn: () => Address | undefined
  /** Called with the peer of each connection. */
  onPeer: (peer: 'client' | 'stand-in' | 'none') => void
  /** Connections wait for this. */
  ready: Promise<void>
  /** Milliseconds after `ready` in which a page waits for a client that starts at the same time. */
  startTimeoutMs: number
  /** Called when a client listens although its replacement is shown, and when it no longer does. */
  onClientBehind?: ((isThere: boolean) => void) | undefined
  /** Milliseconds between two looks for that client. */
  lookMs?: number | undefined
}

const CONNECT_MS = 3_000
const RETRY_MS = 100

class NoClient extends Error {
  readonly peer: 'none' | 'silent' | 'other'

  constructor(peer: 'none' | 'silent' | 'other', message: string) {
    super(message)
    this.peer = peer
  }
}

/** Any 16 bytes. */
const PROBE_KEY = Buffer.from('foldboard probes').toString('base64')

// A port that accepts connections and closes them belongs to another program.
function peerOf(error: Error & { code?: string }): 'none' | 'other' {
  return error.code === 'ECONNRESET' || error.code?.startsWith('HPE_') === true ? 'other' : 'none'
}

type OpenedClient = { socket: Duplex; head: Buffer; accept: string }

/**
 * Requests a WebSocket from a client with the page's key, so that all further bytes can be forwarded, and without its
 * Origin, since current clients reject other origins (docs/protocol.md §10). The page's origin was checked before.
 */
function openClient({ host, port }: Address, key: string): Promise<OpenedClient> {
  return new Promise((resolve, reject) => {
    const asking = ask({
      host,
      port,
      path: '/api/websocket',
      headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key },
      timeout: CONNECT_MS,
    })
    asking.on('upgrade', (response, socket, head) => {
      socket.on('error', () => socket.destroy())
      socket.setTimeout(0)
      resolve({ socket, head, accept: response.headers['sec-websocket-accept'] ?? '' })
    })
    asking.on('response', response => {
      response.destroy()
      reject(new NoClient('other', `The client answered with status ${response.statusCode ?? 0}`))
    })
    asking.on('timeout', () => asking.destroy(new NoClient('silent', 'The client does not answer')))
    asking.on('error', error => {
      reject(error instanceof NoClient ? error : new NoClient(peerOf(error), error.message))
    })
    asking.end()
  })
}

/**
 * Connects both streams. The end of one ends the other, also if it is only half-closed, since a WebSocket needs both
 * directions. Pipes provide back-pressure.
 */
function join(page: Duplex, client: Duplex): void {
  for (const [one, other] of [
    [page, client],
    [client, page],
  ] as const) {
    one.on('close', () => other.destroy())
    one.on('end', () => {
      other.once('finish', () => other.destroy())
    })
    one.pipe(other)
  }
}

/** Whether somebody accepts connections there. */
export function isListening({ host, port }: Address): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 1_000 })
    const answerWith = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', answerWith(true)).on('error', answerWith(false)).on('timeout', answerWith(false))
  })
}

/**
 * Handles upgrades of pages whose origin was checked: forwards them to the local client or its replacement. Once the
 * replacement was shown, it stays until `showClient`: a real client does not take its place unasked.
 */
export function createPassThrough({
  client,
  standIn,
  onPeer,
  ready,
  startTimeoutMs,
  onClientBehind,
  lookMs = 5_000,
}: PassThroughOptions) {
  let retryUntil = Infinity
  void ready.then(() => (retryUntil = performance.now() + startTimeoutMs))
  const standIns = new Set<Duplex>()
  let look: NodeJS.Timeout | undefined
  let isBehind = false

  const setBehind = (isThere: boolean): void => {
    if (isBehind === isThere) return
    isBehind = isThere
    onClientBehind?.(isThere)
  }

  const openStandIn = async (other: Address, key: string): Promise<OpenedClient> => {
    const opened = await openClient(other, key)
    onPeer('stand-in')
    standIns.add(opened.socket)
    opened.socket.once('close', () => standIns.delete(opened.socket))
    look ??= setInterval(() => {
      // Only a connection: what is asked of a client for a WebSocket stands in its log.
      void isListening(client).then(async isThere => {
        const isClient = isThere && (isBehind || (await findPeer()) === 'client')
        if (look !== undefined) setBehind(isClient)
      })
    }, lookMs).unref()
    return opened
  }

  const stop = (): void => {
    clearInterval(look)
    look = undefined
  }

  const openAny = async (key: string): Promise<OpenedClient> => {
    const shown = look === undefined ? undefined : standIn()
    if (shown !== undefined) return openStandIn(shown, key)
    try {
      const opened = await openClient(client, key)
      onPeer('client')
      return opened
    } catch (error) {
      const other = standIn()
      if (other !== undefined) return openStandIn(other, key)
      onPeer('none')
      throw error
    }
  }

  /** A client that is started together with this server may take a moment longer. */
  const openWithRetries = async (key: string, page: Duplex): Promise<OpenedClient> => {
    for (;;) {
      try {
        return await openAny(key)
      } catch (error) {
        if (page.destroyed || performance.now() >= retryUntil) throw error
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  const findPeer = async (): Promise<Peer> => {
    await ready
    try {
      const { socket } = await openClient(client, PROBE_KEY)
      socket.destroy()
      return 'client'
    } catch (error) {
      if (standIn() !== undefined) return 'simulated'
      return error instanceof NoClient ? error.peer : 'none'
    }
  }

  const forward = async (key: string, page: Duplex, head: Buffer): Promise<void> => {
    await ready
    const opened = await openWithRetries(key, page)
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
  }

  const accept = ({ headers }: IncomingMessage): Accept | Refusal => {
    const key = headers['sec-websocket-key']
    if (
      headers.upgrade?.toLowerCase() !== 'websocket' ||
      key === undefined ||
      headers['sec-websocket-version'] !== '13'
    )
      return 400
    return (_request, page, head) => {
      forward(key, page, head).catch(() => {
        refuseUpgrade(page, 502)
      })
    }
  }

  return {
    accept,
    findPeer,
    /** Ends the connections to the replacement. Pages connect again, to the client. */
    showClient: (): void => {
      stop()
      setBehind(false)
      for (const socket of standIns) socket.destroy()
    },
    stop,
  }
}
