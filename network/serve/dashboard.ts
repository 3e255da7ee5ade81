import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { isLoopbackHost, isOwnPage, LOOPBACK_NAMES } from '../loopback.ts'
import { openServer, pathOf } from '../server.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { createPages } from './pages.ts'
import type { CreatePages } from './pages.ts'
import { createPassThrough } from './pass-through.ts'
import type { Address } from './pass-through.ts'
import type { PageSettings } from './settings.ts'

export type DashboardOptions = {
  port: number
  /** Default: IPv4 loopback. */
  listen?: string
  folder: string
  client: Address
  standIn: () => Address | undefined
  settings: () => PageSettings
  /** Default: the built pages in `folder`. */
  createPages?: CreatePages | undefined
  report: (line: string) => void
  /** Requests wait for this: other parts of the network need the port first. */
  ready?: Promise<void>
  /** Milliseconds in which pages wait for a client that starts together with this server. */
  patienceMs?: number
  /** Milliseconds for the headers of a request. */
  requestMs?: number | undefined
}

export type Dashboard = {
  port: number
  url: string
  /** All origins of its pages. */
  origins: readonly string[]
  /** Reports whether a local client is listening. */
  findPeer(): Promise<void>
  stop(): Promise<void>
}

/** What answers at the client's address. Only pages of this server can read it: there is no CORS header. */
const CLIENT_PATH = '/api/client'

const isListening = ({ host, port }: Address): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host, port, timeout: 1_000 })
    const answerWith = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', answerWith(true)).on('error', answerWith(false)).on('timeout', answerWith(false))
  })

const peerLine = (peer: 'client' | 'stand-in' | 'none', { host, port }: Address): string => {
  if (peer === 'client') return `Local client: the one at ${host}:${port}.`
  if (peer === 'none') return `Local client: nothing listens at ${host}:${port} (another address: --client HOST:PORT).`
  return `Local client: nothing listens at ${host}:${port}, a simulated one takes its place.`
}

/** Serves the dashboard's origin: its pages, and `/api/websocket`, which is forwarded to the local client. */
export const serveDashboard = async (options: DashboardOptions): Promise<Dashboard> => {
  const { folder, client, standIn, settings, report, ready = Promise.resolve(), requestMs, patienceMs = 0 } = options
  let lastPeer: string | undefined
  const onPeer = (peer: 'client' | 'stand-in' | 'none'): void => {
    if (lastPeer === peer) return
    lastPeer = peer
    report(peerLine(peer, client))
  }

  const pages = await (options.createPages ?? createPages)({ folder, settings })
  const passThrough = createPassThrough({ client, standIn, onPeer, ready, patienceMs })
  const answerPeer = async (response: ServerResponse): Promise<void> => {
    const peer = await passThrough.findPeer()
    response
      .writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify({ client: `${client.host}:${client.port}`, peer }))
  }
  let port = 0
  const server = await openServer({
    place: { what: 'the dashboard', port: options.port, option: '--port', host: options.listen },
    ...(requestMs === undefined ? {} : { limits: { requestMs } }),
    answer: (request, response) =>
      ready.then(() => {
        if (pathOf(request) === CLIENT_PATH && isLoopbackHost(request.headers.host)) return answerPeer(response)
        pages.answer(request, response)
        return undefined
      }),
    upgrade: request => {
      if (pathOf(request) !== '/api/websocket') return pages.upgrade(request)
      return isOwnPage(request.headers.origin, request.headers.host, port) ? passThrough.accept(request) : 403
    },
  }).catch(async (error: unknown) => {
    await pages.stop()
    throw error
  })
  port = server.port
  return {
    port,
    url: `http://localhost:${port}`,
    origins: LOOPBACK_NAMES.map(name => `http://${name}:${port}`),
    findPeer: async () => {
      onPeer((await isListening(client)) ? 'client' : standIn() === undefined ? 'none' : 'stand-in')
    },
    stop: async () => {
      await server.close()
      await pages.stop()
    },
  }
}
