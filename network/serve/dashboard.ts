import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { closeServer, listen } from '../listen.ts'
import { LOOPBACK_NAMES } from '../loopback.ts'
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
  const { folder, client, standIn, settings, report } = options
  let port = 0
  let told: string | undefined
  const onPeer = (peer: 'client' | 'stand-in' | 'nobody'): void => {
    if (told === peer) return
    told = peer
    report(peerLine(peer, client))
  }

  const server = createServer(createPages({ folder, settings }))
  const passThrough = createPassThrough({ port: () => port, client, standIn, onPeer })
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, page: Duplex, head: Buffer) => {
    if (request.url?.split('?')[0] !== '/api/websocket') {
      page.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    upgraded.add(page)
    page.on('close', () => upgraded.delete(page))
    void passThrough(request, page, head)
  })

  port = await listen(server, { what: 'the dashboard', port: options.port, option: '--port' })
  return {
    port,
    url: `http://localhost:${port}`,
    origins: LOOPBACK_NAMES.map(name => `http://${name}:${port}`),
    findPeer: async () => {
      onPeer((await isListening(client)) ? 'client' : standIn() === undefined ? 'nobody' : 'stand-in')
    },
    stop: async () => {
      for (const page of upgraded) page.destroy()
      await closeServer(server)
    },
  }
}
