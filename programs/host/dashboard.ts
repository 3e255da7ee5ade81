import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { isLoopbackAddress, isLoopbackHost, isOwnPage, LOOPBACK_NAMES } from './loopback.ts'
import { openServer, pathOf } from './server.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { createPages, type CreatePages } from './pages.ts'
import { createPassThrough, isListening, type Address } from './pass-through.ts'
import type { PageSettings } from './settings.ts'

export type DashboardOptions = {
  port: number
  /** Default: IPv4 loopback. */
  listen?: string
  /** The port is published to this computer only, as by a container: whoever connects may reach the clients. */
  isPublished?: boolean
  folder: string
  client: Address
  /** The replacement of that client while it does not listen. */
  standIn: () => Address | undefined
  /** Called when that client listens although its replacement is shown, and when it no longer does. */
  onClientBehind?: (isThere: boolean) => void
  lookMs?: number
  /** Clients at `/clients/2/api/websocket` and so on. */
  otherClients?: readonly Address[]
  settings: () => PageSettings
  /** Default: the built pages in `folder`. */
  createPages?: CreatePages | undefined
  report: (line: string) => void
  /** Requests wait for this: other parts of the network need the port first. */
  ready?: Promise<void>
  /** Milliseconds in which pages wait for a client that starts together with this server. */
  startTimeoutMs?: number
  /** Milliseconds for the headers of a request. */
  requestMs?: number | undefined
}

export type Dashboard = {
  port: number
  url: string
  /** All origins of its pages. */
  origins: readonly string[]
  /** Reports which local clients are listening. */
  findPeer(): Promise<void>
  stop(): Promise<void>
}

/** What answers at the client's address. Only pages of this server can read it: there is no CORS header. */
const CLIENT_PATH = '/api/client'
/** Where a page leads that shows the client in place of its replacement. */
const SHOW_PATH = '/api/client/show'

type Peer = 'client' | 'stand-in' | 'none'

function peerLine(peer: Peer, { host, port }: Address, title: string): string {
  if (peer === 'client') return `${title}: the one at ${host}:${port}.`
  if (peer === 'none') return `${title}: nothing listens at ${host}:${port} (another address: --client HOST:PORT).`
  return `${title}: nothing listens at ${host}:${port}, a simulated one takes its place.`
}

/** The setting `direct-address` of a page: 'self, self/2' with one other client. */
export function directAddresses(otherClients: number): string {
  return ['self', ...Array.from({ length: otherClients }, (_, at) => `self/${at + 2}`)].join(', ')
}

/** Listening at these, the dashboard is reached as localhost. */
const AS_LOCALHOST = ['127.0.0.1', '::1', '0.0.0.0', '::']

function hostOf(listen: string): string {
  return AS_LOCALHOST.includes(listen) ? 'localhost' : isIPv6(listen) ? `[${listen}]` : listen
}

/** Which client a path leads to, from 0; undefined for other paths. */
function clientAt(path: string): number | undefined {
  if (path === '/api/websocket') return 0
  const nth = /^\/clients\/([2-9]|[1-9]\d)\/api\/websocket$/.exec(path)?.[1]
  return nth === undefined ? undefined : Number(nth) - 1
}

/**
 * Serves the dashboard's origin: its pages, `/api/websocket`, which is forwarded to the first local client, and
 * `/clients/2/api/websocket` and so on for the others.
 */
export async function serveDashboard(options: DashboardOptions): Promise<Dashboard> {
  const {
    listen = '127.0.0.1',
    isPublished = false,
    folder,
    client: first,
    otherClients = [],
    standIn,
    settings,
    report,
    ready = Promise.resolve(),
    requestMs,
    startTimeoutMs = 0,
  } = options
  const endpoints = [first, ...otherClients].map((client, at) => {
    let lastPeer: string | undefined
    const onPeer = (peer: Peer): void => {
      if (lastPeer === peer) return
      lastPeer = peer
      report(peerLine(peer, client, otherClients.length === 0 ? 'Local client' : `Client ${at + 1}`))
    }
    const standInHere = at === 0 ? standIn : () => undefined
    return {
      passThrough: createPassThrough({
        client,
        standIn: standInHere,
        onPeer,
        ready,
        startTimeoutMs,
        onClientBehind: at === 0 ? options.onClientBehind : undefined,
        lookMs: options.lookMs,
      }),
      findPeer: async (): Promise<void> => {
        onPeer((await isListening(client)) ? 'client' : standInHere() === undefined ? 'none' : 'stand-in')
      },
    }
  })

  const pages = await (options.createPages ?? createPages)({ folder, settings })
  const answerPeer = async (response: ServerResponse): Promise<void> => {
    const peer = await endpoints[0]?.passThrough.findPeer()
    response
      .writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify({ client: `${first.host}:${first.port}`, peer }))
  }
  // Any program can name this computer in its headers.
  const mayReachClients = ({ socket }: IncomingMessage): boolean =>
    isPublished || isLoopbackAddress(socket.remoteAddress ?? '')
  let port = 0
  const server = await openServer({
    place: { what: 'the dashboard', port: options.port, option: '--port', host: listen },
    ...(requestMs === undefined ? {} : { limits: { requestMs } }),
    answer: (request, response) =>
      ready.then(() => {
        const path = mayReachClients(request) ? pathOf(request) : undefined
        if (path === CLIENT_PATH && isLoopbackHost(request.headers.host)) return answerPeer(response)
        if (path === SHOW_PATH && request.headers['sec-fetch-site'] === 'same-origin') {
          endpoints[0]?.passThrough.showClient()
          response.writeHead(303, { ...SECURITY_HEADERS, Location: '/machines' }).end()
          return undefined
        }
        pages.answer(request, response)
        return undefined
      }),
    upgrade: request => {
      const at = clientAt(pathOf(request))
      if (at === undefined) return pages.upgrade(request)
      if (!mayReachClients(request) || !isOwnPage(request.headers.origin, request.headers.host, port)) return 403
      return endpoints[at]?.passThrough.accept(request) ?? 404
    },
  }).catch(async (error: unknown) => {
    await pages.stop()
    throw error
  })
  port = server.port
  if (!isPublished && !isLoopbackAddress(listen))
    report(
      'Only programs of this computer reach the client, unless --published says that the port is published to it alone.',
    )
  return {
    port,
    url: `http://${hostOf(listen)}:${port}`,
    origins: LOOPBACK_NAMES.map(name => `http://${name}:${port}`),
    findPeer: async () => {
      await Promise.all(endpoints.map(door => door.findPeer()))
    },
    stop: async () => {
      for (const { passThrough } of endpoints) passThrough.stop()
      await server.close()
      await pages.stop()
    },
  }
}
