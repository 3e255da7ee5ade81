import type { Chances } from '../time/chance.ts'
import type { Realm } from '../realms/realm.ts'
import type { CallFault, Conditions, Route } from './conditions.ts'
import { createConnection, type Connection, type End, type Frame } from './connection.ts'

export type Call = {
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** Whether the caller no longer waits for the answer. */
  readonly isAborted?: () => boolean
}

export type Answer = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** A program that listens at a port. */
export type Listening = {
  readonly realm: Realm
  readonly answer: (call: Call) => Promise<Answer>
  /** Takes over a connection as a WebSocket, or refuses it with a status. */
  readonly upgrade: (call: Call, end: End) => void
}

export type Internet = {
  readonly conditions: Conditions
  /** Returns the function that stops listening; undefined when the port is taken. */
  readonly listen: (port: number, listening: Listening) => (() => void) | undefined
  readonly freePort: () => number
  /** Rejects with a TypeError, as `fetch` does, when nothing answers. */
  readonly call: (from: Realm, address: URL, call: Call) => Promise<Answer>
  /** Opens a connection for a WebSocket; undefined when nothing listens. */
  readonly connect: (from: Realm, address: URL, headers: Call['headers']) => End | undefined
  /** Breaks all connections of these routes. */
  readonly breakUp: (concerns: (route: Route) => boolean) => void
}

type InternetParts = {
  readonly chances: Chances
  readonly conditions: Conditions
  /** Names of the services that listen at ports. */
  readonly services: Readonly<Record<number, string>>
  readonly note: (realm: Realm, what: string) => void
  /** `service`: the name of what is called. */
  readonly whenCalled: (from: Realm, call: Call, service: string) => void
  /** An answer has arrived, and was waited for. */
  readonly whenAnswered: (from: Realm, call: Call, status: number) => void
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (/s:$/.test(protocol) ? 443 : 80))
}

const ERROR_PAGE = Buffer.from('<!doctype html><title>Welcome to the Wi-Fi</title><p>Please log in.')

/** What stands before the API answers in its place lets the page read it. */
function readableBy({ headers: { origin } }: Call): Answer['headers'] {
  return origin === undefined
    ? []
    : [
        ['access-control-allow-origin', origin],
        ['access-control-expose-headers', 'Retry-After'],
      ]
}

/** What the caller receives of an answer. */
function spoiled(fault: CallFault | undefined, answer: Answer): Answer {
  if (fault === 'error 500') return { status: 500, headers: answer.headers, body: Buffer.from('') }
  if (fault === 'refused')
    return { status: 429, headers: [...answer.headers, ['retry-after', '20']], body: Buffer.from('') }
  if (fault === 'html')
    return { status: 200, headers: [...answer.headers, ['content-type', 'text/html']], body: ERROR_PAGE }
  if (fault === 'garbled') return { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }
  return answer
}

/** The text of a frame for the journal: what is sent is part of it, in full. */
function describe(route: Route) {
  return (frame: Frame): string =>
    `${route.to} ${frame.type} ${'data' in frame ? frame.data.toString('latin1') : frame.code}`
}

export function createInternet({
  chances,
  conditions,
  services,
  note,
  whenCalled,
  whenAnswered,
}: InternetParts): Internet {
  const listening = new Map<number, Listening>()
  const connections = new Map<Connection, Route>()
  const counts = new Map<string, number>()
  let nextPort = 20_000

  /** A number for each connection of a route, so that its chance does not depend on what others do. */
  const countOf = ({ from, to }: Route): number => {
    const name = `${from} ${to}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }

  const routeTo = (from: Realm, address: URL): Route => {
    const port = portOf(address)
    return { from: from.name, to: `${services[port] ?? port}${address.pathname}` }
  }

  const settle = <T>(from: Realm, ms: number, what: string, run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      from.after(ms, what, () => {
        try {
          resolve(run())
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })

  const failedFetch = (): never => {
    throw new TypeError('fetch failed')
  }

  const call: Internet['call'] = async (from, address, asked) => {
    // Of a process that was killed, whose code runs on until it waits.
    if (!from.isAlive()) return new Promise(() => undefined)
    whenCalled(from, asked, services[portOf(address)] ?? '')
    const route = routeTo(from, address)
    const chance = chances('call', route.from, route.to, countOf(route))
    const latency = (): number => chance.whole(3, 60) + conditions.delay(route)
    const what = `${asked.method} ${route.to}${address.search}`
    const isLost = conditions.isCut(route)
    const fault = conditions.callFault(route)
    const server = listening.get(portOf(address))
    if (server === undefined || fault === 'lost') return settle(from, latency(), `${what} refused`, failedFetch)
    // Nothing arrives: only the caller's own limit ends it.
    if (isLost) return new Promise(() => undefined)
    const answer = await settle(server.realm, latency(), `${what} ${asked.body?.toString('latin1') ?? ''}`, () =>
      fault === 'error 500' || fault === 'html' || fault === 'refused'
        ? { status: 200, headers: readableBy(asked), body: Buffer.alloc(0) }
        : server.answer(asked),
    )
    if (conditions.isCut(route)) return new Promise(() => undefined)
    if (fault === 'twice') await server.answer(asked)
    const received = spoiled(fault, answer)
    return settle(from, latency(), `${what} ${received.status} ${received.body.toString('latin1')}`, () => {
      if (fault === 'answer lost') return failedFetch()
      if (asked.isAborted?.() !== true) whenAnswered(from, asked, received.status)
      return received
    })
  }

  const connect: Internet['connect'] = (from, address, headers) => {
    const path = address.pathname + address.search
    const route = routeTo(from, address)
    const server = listening.get(portOf(address))
    if (server === undefined) return undefined
    const chance = chances('connection', route.from, route.to, countOf(route))
    const connection = createConnection({
      near: from,
      far: server.realm,
      route,
      conditions,
      chance,
      describe: describe(route),
      whenEnded: () => void connections.delete(connection),
    })
    connections.set(connection, route)
    note(from, `connects to ${route.to}`)
    // The request goes the way of all frames, so that it is lost and delayed as they are.
    connection.far.handler = {
      received: () => server.upgrade({ method: 'GET', path, headers, body: undefined }, connection.far),
      ended: () => undefined,
    }
    connection.near.send({ type: 'ping', data: Buffer.from('upgrade') })
    return connection.near
  }

  return {
    conditions,
    listen: (port, program) => {
      if (listening.has(port)) return undefined
      listening.set(port, program)
      const forget = (): void => {
        if (listening.get(port) === program) listening.delete(port)
      }
      const release = program.realm.onEnd(forget)
      return () => {
        release()
        forget()
      }
    },
    freePort: () => nextPort++,
    call,
    connect,
    breakUp: concerns => {
      for (const [connection, route] of [...connections]) if (concerns(route)) connection.breakUp()
    },
  }
}
