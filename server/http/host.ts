import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { directAddresses } from '../../network/serve/dashboard.ts'
import { SECURITY_HEADERS } from '../../network/serve/headers.ts'
import { createPages } from '../../network/serve/pages.ts'
import type { PageSettings } from '../../network/serve/settings.ts'
import { openServer, pathOf, refuseUpgrade } from '../../network/server.ts'
import type { Accept, Refusal } from '../../network/server.ts'
import { StartError } from '../../network/start-error.ts'
import { mayUse } from '../access/access.ts'
import type { Config } from '../config/schema.ts'
import type { Access, Caller, Identity } from '../access/access.ts'
import type { Bindings } from './api.ts'

export type HostOptions = {
  readonly address: string
  readonly port: number
  readonly tls: { readonly key: string; readonly cert: string } | undefined
  /** Folder of the built dashboard. */
  readonly dist: string
  readonly access: Access
  readonly api: Hono<{ Bindings: Bindings }>
  /** How many there are now. */
  readonly machines: () => number
  /** Settings of the page besides the addresses of its machines. */
  readonly settings: PageSettings
  /** The socket of a machine, by its number from 1, for a user who may see it. */
  readonly openSocket: (number: number, identity: Identity) => Accept | Refusal
}

export type Host = { readonly port: number; readonly stop: () => Promise<void> }

const MOST_CONNECTIONS = 20_480
/** What belongs to the API and not to the dashboard. */
const API_PATH = /^\/(?:api\/(?:server(?:\/|$)|client$)|healthz$|readyz$|metrics$)/
/** They tell nothing about users and machines, and are asked by programs under any host name. */
const HEALTH_PATH = /^\/(?:healthz|readyz)$/
/** Files that any copy of the program has: neither settings nor data. */
const PUBLIC_FILE = /^\/(?:assets|icons)\/|^\/(?!index\.html$)[\w-]+\.\w+$/
const SOCKET_PATH = /^\/clients\/([2-9]|[1-9]\d{1,3})\/api\/websocket$/

export const callerOf = (request: IncomingMessage): Caller => ({
  headers: request.headers,
  remote: request.socket.remoteAddress,
  isEncrypted: request.socket instanceof TLSSocket,
})

/** Which machine a path leads to, from 1; undefined for other paths. */
export const machineNumberOf = (path: string): number | undefined => {
  if (path === '/api/websocket') return 1
  const nth = SOCKET_PATH.exec(path)?.[1]
  return nth === undefined ? undefined : Number(nth)
}

const refuse = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  response
    .writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(text)
}

/** A token is never sent by a browser on its own, so Host and Origin do not matter. */
const isProgram = ({ headers }: IncomingMessage): boolean => headers.authorization !== undefined

/** One origin for everything: the dashboard, the machines' sockets, and the HTTP API. */
export const serveHost = async (options: HostOptions): Promise<Host> => {
  const { access, api, machines } = options
  const pages = createPages({
    folder: options.dist,
    settings: () => ({
      server: 'true',
      'direct-address': machines() === 0 ? '' : directAddresses(machines() - 1),
      ...options.settings,
    }),
  })
  const listener = getRequestListener((request, env) => api.fetch(request, env))

  const answerPage = async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    const path = pathOf(request)
    if (PUBLIC_FILE.test(path) || mayUse(await access.identify(caller), 'view')) {
      pages.answer(request, response)
      return
    }
    const isNavigation = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
    if (!isNavigation) refuse(response, 401, 'Not signed in')
    else
      refuse(response, 303, 'Sign in first', {
        Location: `/api/server/login?next=${encodeURIComponent((request.url ?? '/').slice(0, 500))}`,
      })
  }

  const server = await openServer({
    place: { what: 'the server', port: options.port, option: '--port', host: options.address },
    tls: options.tls,
    limits: { connections: MOST_CONNECTIONS },
    answer: async (request, response) => {
      const caller = callerOf(request)
      if (!access.isOwnHost(caller) && !isProgram(request) && !HEALTH_PATH.test(pathOf(request))) {
        refuse(response, 421, 'This server does not answer under that host name: see listen.origins in its settings.')
        return
      }
      if (!PUBLIC_FILE.test(pathOf(request))) {
        const seconds = access.secondsToWait(caller, 'request')
        if (seconds !== undefined) {
          refuse(response, 429, 'Too many requests', { 'Retry-After': String(seconds) })
          return
        }
      }
      if (API_PATH.test(pathOf(request))) await listener(request, response)
      else await answerPage(request, response, caller)
    },
    upgrade: request => {
      const caller = callerOf(request)
      const number = machineNumberOf(pathOf(request))
      if (number === undefined || number > machines()) return 404
      // Browsers send an Origin with every socket; programs use a token.
      const isPage = !isProgram(request)
      if ((isPage && !access.isOwnHost(caller)) || !access.isOwnOrigin(caller, isPage)) return 403
      if (access.secondsToWait(caller, 'socket') !== undefined) return 403
      return (upgraded, stream, head) => {
        access
          .identify(caller)
          .then(identity => {
            if (stream.destroyed) return
            const accept =
              identity !== undefined && mayUse(identity, 'view') ? options.openSocket(number, identity) : 401
            if (typeof accept === 'number') refuseUpgrade(stream, accept)
            else accept(upgraded, stream, head)
          })
          .catch(() => stream.destroy())
      }
    },
  })
  access.setPort(server.port)
  return {
    port: server.port,
    stop: async () => {
      await server.close()
      await pages.stop()
    },
  }
}

/** The certificate of the settings with its key. Throws a StartError when it cannot be read. */
export const readCertificate = (
  listen: Config['listen'],
): { readonly key: string; readonly cert: string } | undefined => {
  const { certificate, 'private-key': key } = listen
  if (certificate === undefined || key === undefined) return undefined
  try {
    return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
  } catch (error) {
    throw new StartError(`The certificate cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`)
  }
}
