import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { openServer, pathOf, type Accept, type Refusal, type RunningServer } from '../../host/server.ts'
import { EXCESSES, type Excess } from '../../../src/folding/client/client-excess.ts'
import type { Identity } from '../access/access.ts'
import { hashSecret } from '../access/passwords.ts'
import { ROLES, SCOPES, type Config } from '../config/schema.ts'
import type { Bindings } from '../http/handler.ts'

/*
 * How servers of one database reach each other: a port of its own, which only knows the secret of the settings. A client that another server holds is reached through it, by the protocol of a client; requests about what the
 * coordinating server knows are passed on to it, with the identity of the caller.
 */

/** Another server, as this one calls it. */
export type Peers = {
  /** Where a client is reached through the server at `url`. */
  readonly machine: (url: string, address: string) => { readonly url: string; readonly headers: Record<string, string> }
  /** Passes a request on to the same path, with the identity of the caller. Rejects when the signal is aborted. */
  readonly forward: (
    url: string,
    request: Request,
    identity: Identity,
    body: unknown,
    signal: AbortSignal,
  ) => Promise<Response>
  /** Tells the server that coordinates that a user changed the state of a client. */
  readonly personChanged: (url: string, change: PersonChange) => Promise<void>
}

/** A person's command that was obeyed. */
export type PersonChange = v.InferOutput<typeof changeSchema>

export type PeerServerOptions = {
  readonly cluster: Config['cluster']
  /** Opens the socket of a client that this server holds, by its address. */
  readonly openClient: (address: string) => Accept | Refusal
  readonly api: Hono<{ Bindings: Bindings }>
  readonly personChanged: (change: PersonChange) => void
}

const MOST_CONNECTIONS = 20_480
/** A channel is tested for 20 seconds, and each command of several is waited for two minutes. */
const FORWARD_MS = 300_000
const CHANGE_MS = 15_000
const IDENTITY = 'x-foldboard-identity'
const HELD_CLIENT_PATH = '/machine'
const EXCESS = 'x-foldboard-excess'

const CHANGE_PATH = '/person-changed'
const MOST_BYTES = 4096

const changeSchema = v.object({
  subject: v.object({ machine: v.string(), group: v.optional(v.string()) }),
  state: v.picklist(['fold', 'pause', 'finish']),
  by: v.string(),
})

const identitySchema = v.object({
  name: v.pipe(v.string(), v.maxLength(200)),
  role: v.picklist(ROLES),
  scopes: v.optional(v.array(v.picklist(SCOPES))),
})

export function createPeers(secret: string): Peers {
  const authorization = `Bearer ${secret}`
  return {
    machine: (url, address) => ({
      url: `${url.replace(/^http/, 'ws')}${HELD_CLIENT_PATH}?address=${encodeURIComponent(address)}`,
      headers: { authorization },
    }),
    forward: async (url, request, { name, role, scopes }, body, signal) => {
      const { pathname, search } = new URL(request.url)
      const answer = await fetch(`${url}${pathname}${search}`, {
        method: request.method,
        headers: {
          authorization,
          'content-type': 'application/json',
          [IDENTITY]: encodeURIComponent(JSON.stringify({ name, role, scopes })),
        },
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_MS)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const type = answer.headers.get('content-type')
      return new Response(answer.body, {
        status: answer.status,
        headers: type === null ? {} : { 'Content-Type': type },
      })
    },
    personChanged: async (url, change) => {
      await fetch(`${url}${CHANGE_PATH}`, {
        method: 'POST',
        headers: { authorization },
        redirect: 'error',
        signal: AbortSignal.timeout(CHANGE_MS),
        body: JSON.stringify(change),
      })
    },
  }
}

/** Opens the port for other servers. */
export function servePeers(options: PeerServerOptions): Promise<RunningServer> {
  const { cluster, openClient, api, personChanged } = options
  const expected = Buffer.from(hashSecret(`Bearer ${cluster.secret ?? ''}`))
  const isPeer = ({ headers }: IncomingMessage): boolean =>
    timingSafeEqual(Buffer.from(hashSecret(headers.authorization ?? '')), expected)
  const listener = getRequestListener((request, env) => {
    const { incoming } = env as Pick<Bindings, 'incoming'>
    const identity = identityOf(incoming.headers[IDENTITY])
    return identity === undefined
      ? new Response('Bad request', { status: 400 })
      : api.fetch(request, { incoming, identity, isPassedOn: true })
  })
  return openServer({
    place: { what: 'other servers', port: cluster.port, option: 'cluster.port', host: cluster.address },
    limits: { connections: MOST_CONNECTIONS },
    answer: async (request, response) => {
      if (!isPeer(request)) response.writeHead(401).end()
      else if (pathOf(request) === CHANGE_PATH) {
        const change = v.safeParse(changeSchema, JSON.parse(await readText(request)))
        if (change.success) personChanged(change.output)
        response.writeHead(change.success ? 204 : 400).end()
      } else if (!pathOf(request).startsWith('/api/server/')) response.writeHead(404).end()
      else await listener(request, response)
    },
    upgrade: request => {
      if (!isPeer(request)) return 401
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://peer')
      return pathname === HELD_CLIENT_PATH ? openClient(searchParams.get('address') ?? '') : 404
    },
  })
}

/** Tells another server that the client is left alone, since it sent too much. */
export function refuseForExcess(excess: Excess): Accept {
  return (_, stream) => {
    stream.end(
      `HTTP/1.1 503 Service Unavailable\r\n${EXCESS}: ${excess}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
  }
}

/** What the server that holds a client refused it for. */
export function excessIn({ headers }: Pick<IncomingMessage, 'headers'>): Excess | undefined {
  return EXCESSES.find(excess => excess === headers[EXCESS])
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += String(part)
    if (text.length > MOST_BYTES) throw new Error('It is too large.')
  }
  return text
}

function identityOf(header: string | readonly string[] | undefined): Identity | undefined {
  if (typeof header !== 'string') return undefined
  try {
    const read = v.safeParse(identitySchema, JSON.parse(decodeURIComponent(header)))
    if (!read.success) return undefined
    const { scopes, ...identity } = read.output
    return scopes === undefined ? identity : { ...identity, scopes }
  } catch {
    return undefined
  }
}
