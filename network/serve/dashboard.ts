import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { isLoopbackHost, isOwnPage, LOOPBACK_NAMES } from '../loopback.ts'
import { openServer, pathOf } from '../server.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { createPages } from './pages.ts'
import { createPassThrough } from './pass-through.ts'
import type { Address } from './pass-through.ts'
import type { PageSettings } from './settings.ts'

export type DashboardOptions = {
  port: number
  folder: string
  client: Address
  standIn: () => Address | undefined
  settings: () => PageSettings
  report: (line: string) => void
  /** Requests that come before this wait for it: the rest of the network may need to know the port first. */
  ready?: Promise<void>
  /** Milliseconds in which pages wait for a client that starts together with this server. */
  patienceMs?: number
  /** Milliseconds for the headers of a request. */
  requestMs?: number | undefined
}

export type Dashboard = {
  port: number
  url: string
  /** Every origin under which its pages may be open. */
  origins: readonly string[]
  /** Looks who is there at present, and reports it. */
  findPeer(): Promise<void>
  stop(): Promise<void>
}

/** Who is at the client's address. Only this server's own pages can read it: no header lets others. */
const CLIENT_PATH = '/api/client'

const isListening = ({ host, port }: Address): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host, port, timeout: 1_000 })
    const tell = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', tell(true)).on('error', tell(false)).on('timeout', tell(false))
  })

const peerLine = (peer: 'client' | 'stand-in' | 'nobody', { host, port }: Address): string => {
  if (peer === 'client') return `Local client: the one at ${host}:${port}.`
  if (peer === 'nobody')
    return `Local client: nothing listens at ${host}:${port} (another address: --client HOST:PORT).`
  return `Local client: nothing listens at ${host}:${port}, a simulated one takes its place.`
}

/** The dashboard's own origin: its pages, and `/api/websocket` passed on to the local client. */
export const serveDashboard = async (options: DashboardOptions): Promise<Dashboard> => {
  const { folder, client, standIn, settings, report, ready = Promise.resolve(), requestMs, patienceMs = 0 } = options
  let told: string | undefined
  const onPeer = (peer: 'client' | 'stand-in' | 'nobody'): void => {
    if (told === peer) return
    told = peer
    report(peerLine(peer, client))
  }

  const pages = createPages({ folder, settings })
  const passThrough = createPassThrough({ client, standIn, onPeer, ready, patienceMs })
  const answerPeer = async (response: ServerResponse): Promise<void> => {
    const peer = await passThrough.findPeer()
    response
      .writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify({ client: `${client.host}:${client.port}`, peer }))
  }
  let port = 0
  const server = await openServer({
    place: { what: 'the dashboard', port: options.port, option: '--port' },
    ...(requestMs === undefined ? {} : { limits: { requestMs } }),
    answer: (request, response) =>
      ready.then(() => {
        if (pathOf(request) === CLIENT_PATH && isLoopbackHost(request.headers.host)) return answerPeer(response)
        pages(request, response)
        return undefined
      }),
    upgrade: request => {
      if (pathOf(request) !== '/api/websocket') return 404
      return isOwnPage(request.headers.origin, request.headers.host, port) ? passThrough.accept(request) : 403
    },
  })
  port = server.port
  return {
    port,
    url: `http://localhost:${port}`,
    origins: LOOPBACK_NAMES.map(name => `http://${name}:${port}`),
    findPeer: async () => {
      onPeer((await isListening(client)) ? 'client' : standIn() === undefined ? 'nobody' : 'stand-in')
    },
    stop: () => server.close(),
  }
}
