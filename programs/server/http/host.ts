import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { directAddresses } from '../../host/dashboard.ts'
import { SECURITY_HEADERS } from '../../host/headers.ts'
import { createPages } from '../../host/pages.ts'
import type { PageSettings } from '../../host/settings.ts'
import { openServer, pathOf, refuseUpgrade, type Accept, type Refusal } from '../../host/server.ts'
import { mayUse, type Access, type Identity } from '../access/access.ts'
import type { Ask } from '../access/admission.ts'
import { callerOf } from '../access/caller.ts'
import type { Outlets } from '../gateway/outlets.ts'
import type { Bindings } from './handler.ts'
import { followCertificate, type Certificate, type CertificateNews } from './certificate.ts'
import type { RouteSpec } from './route-fields.ts'
import { routes } from './routes.ts'

export type HostOptions = {
  readonly address: string
  readonly port: number
  readonly certificate: Certificate | undefined
  readonly onCertificate: CertificateNews
  /** Folder of the built dashboard. */
  readonly dist: string
  readonly access: Access
  readonly outlets: Outlets
  readonly api: Hono<{ Bindings: Bindings }>
  /** How many there are now. */
  readonly machines: () => number
  /** Settings of the page besides the addresses of its clients. */
  readonly settings: PageSettings
  /** The socket of a client, by its number from 1, for a user who may see it. */
  readonly openSocket: (number: number, identity: Identity) => Accept | Refusal
}

export type Host = { readonly port: number; readonly stop: () => Promise<void> }

const MOST_CONNECTIONS = 20_480
/** What belongs to the API and not to the dashboard. */
const API_PATH = /^\/(?:api\/(?:server(?:\/|$)|client$)|healthz$|readyz$|metrics$)/
/** They tell nothing about users and clients, and are asked by programs under any host name. */
const HEALTH_PATH = /^\/(?:healthz|readyz)$/
/** Files that any copy of the program has: neither settings nor data. */
const PUBLIC_FILE = /^\/(?:assets|icons)\/|^\/(?!index\.html$)[\w-]+\.\w+$/
const SOCKET_PATH = /^\/clients\/([2-9]|[1-9]\d{1,3})\/api\/websocket$/
const FORMS: ReadonlySet<string> = new Set(
  Object.values<RouteSpec>(routes).flatMap(({ method, path, answer }) =>
    method === 'get' && answer === 'text/html' ? [path] : [],
  ),
)

function askOf(request: IncomingMessage): Ask {
  const path = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'change'
  if (HEALTH_PATH.test(path)) return 'health'
  if (PUBLIC_FILE.test(path)) return 'file'
  return (API_PATH.test(path) || path.startsWith('/api/')) && !FORMS.has(path) ? 'data' : 'page'
}

/** Which client a path leads to, from 1; undefined for other paths. */
export function clientNumberOf(path: string): number | undefined {
  if (path === '/api/websocket') return 1
  const nth = SOCKET_PATH.exec(path)?.[1]
  return nth === undefined ? undefined : Number(nth)
}

function refusalOf(status: number): Refusal {
  return status === 400 || status === 401 ? status : 403
}

function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(text)
}

/** One origin for everything: the dashboard, the clients' sockets, and the HTTP API. */
export async function serveHost(options: HostOptions): Promise<Host> {
  const { access, api, certificate, machines: clients } = options
  const pages = createPages({
    folder: options.dist,
    settings: () => ({
      server: 'true',
      'direct-address': clients() === 0 ? '' : directAddresses(clients() - 1),
      ...options.settings,
    }),
  })
  const admitted = new WeakMap<IncomingMessage, Identity>()
  const answerApi = getRequestListener((request, env) => {
    const { incoming } = env as Pick<Bindings, 'incoming'>
    return api.fetch(request, { incoming, identity: admitted.get(incoming) })
  })

  const answerPage = (request: IncomingMessage, response: ServerResponse, identity: Identity | undefined): void => {
    if (mayUse(identity, 'view')) {
      pages.answer(request, response)
      return
    }
    const askToSignIn = (): void => {
      const isNavigation = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
      if (!isNavigation) refuse(response, 401, 'Not signed in')
      else
        refuse(response, 303, 'Sign in first', {
          Location: `/api/server/login?next=${encodeURIComponent((request.url ?? '/').slice(0, 500))}`,
        })
    }
    if (askOf(request) === 'file') pages.answerFile(request, response, askToSignIn)
    else askToSignIn()
  }

  /** An answer waits in memory until it is read: all that wait for somebody are within the budget of their streams. */
  const answerWithin = async (
    { name }: Identity,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const outlet = options.outlets.open(name, 'answer', {
      waiting: () => response.writableLength,
      end: () => response.destroy(),
    })
    if (outlet === undefined) {
      refuse(response, 429, 'Too many requests at once', { 'Retry-After': '1' })
      return
    }
    response.on('close', outlet.close)
    await answerApi(request, response)
    outlet.wrote()
  }

  const openFor = (number: number, identity: Identity | undefined): Accept | Refusal =>
    identity !== undefined && mayUse(identity, 'view') ? options.openSocket(number, identity) : 401

  const server = await openServer({
    place: { what: 'the server', port: options.port, option: '--port', host: options.address },
    tls: certificate?.tls,
    limits: { connections: MOST_CONNECTIONS },
    answer: async (request, response) => {
      const admission = await access.admit(callerOf(request), askOf(request))
      if (admission.kind === 'refused') {
        const { status, text, seconds } = admission
        refuse(response, status, text, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
        return
      }
      const { identity } = admission
      if (identity !== undefined) admitted.set(request, identity)
      if (!API_PATH.test(pathOf(request))) answerPage(request, response, identity)
      else if (identity === undefined) await answerApi(request, response)
      else await answerWithin(identity, request, response)
    },
    upgrade: request => {
      const number = clientNumberOf(pathOf(request))
      if (number === undefined || number > clients()) return 404
      return (upgraded, stream, head) => {
        access
          .admit(callerOf(request), 'socket')
          .then(admission => {
            if (stream.destroyed) return
            const accept =
              admission.kind === 'refused' ? refusalOf(admission.status) : openFor(number, admission.identity)
            if (typeof accept === 'number') refuseUpgrade(stream, accept)
            else accept(upgraded, stream, head)
          })
          .catch(() => stream.destroy())
      }
    },
  })
  access.setPort(server.port)
  const unfollow = certificate && followCertificate(certificate, server.setCertificate, options.onCertificate)
  return {
    port: server.port,
    stop: async () => {
      unfollow?.()
      await server.close()
      await pages.stop()
    },
  }
}
