import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import type { WebSocket } from 'ws'
import { isKnownCaller } from '../../host/loopback.ts'
import { keepAlive, onText, sendBounded } from '../../host/abrupt-socket.ts'
import { pathOf, type Accept, type Refusal } from '../../host/server.ts'
import { createSocketEndpoint } from '../../host/sockets.ts'
import { HOUR_MS } from './score-curve.ts'
import { MAX_POINTS, type Series, type SeriesSource } from './series.ts'

export const SUBSCRIPTION_PATH = '/statistics'

export type SubscriptionOptions = {
  series: SeriesSource
  allowedOrigins: readonly string[]
  now: () => number
  report: (line: string) => void
}

const MAX_MESSAGE_BYTES = 16_384
const MAX_SERIES = 64
/** Unanswered messages of a socket before reading from it is paused. */
const MAX_PENDING = 16
const PING_MS = 45_000
/** Without context takeover, so that a connection keeps no compression dictionary. */
const DEFLATE = { serverNoContextTakeover: true, clientNoContextTakeover: true }

const id = v.pipe(v.number(), v.integer(), v.minValue(0))
const ref = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const since = v.pipe(
  v.union([v.pipe(v.string(), v.transform(Date.parse)), v.number()]),
  v.check((at: number) => Number.isFinite(at), 'is no time'),
)
const common = {
  $ref: ref,
  max_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), MAX_POINTS),
  since: v.optional(since),
}
const request = v.union([
  v.object({ type: v.literal('unsubscribe'), $ref: ref }),
  v.object({ type: v.literal('subscribe'), timeseries: v.literal('team.score'), team: id, ...common }),
  v.object({
    type: v.literal('subscribe'),
    timeseries: v.literal('user.score'),
    uid: id,
    pid: v.optional(id, 0),
    ...common,
  }),
])
type Request = v.InferOutput<typeof request>
type Subscribe = Extract<Request, { type: 'subscribe' }>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refOf(value: unknown): { $ref?: string } {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
    ? { $ref: value.$ref }
    : {}
}

type SubscriptionSession = { handle(text: string): Promise<void>; announce(): Promise<void> }

/** Subscriptions of one socket, by `$ref`. */
function createSession({ series, now }: SubscriptionOptions, send: (message: object) => void): SubscriptionSession {
  const subscribed = new Map<string, Series>()

  const seriesFor = (asked: Subscribe): Promise<Series | undefined> =>
    asked.timeseries === 'team.score' ? series.team(asked.team) : series.donor(asked.uid)

  const subscribe = async (asked: Subscribe): Promise<void> => {
    const { $ref } = asked
    const refuse = (message: string): void => send({ $ref, data: { message } })
    if (!subscribed.has($ref) && subscribed.size >= MAX_SERIES) {
      refuse('Too many subscriptions')
      return
    }
    const series = await seriesFor(asked)
    if (series === undefined) {
      refuse(asked.timeseries === 'team.score' ? 'Team not found' : 'User not found')
      return
    }
    subscribed.set($ref, series)
    send({ $ref, data: await series.points(now(), asked.since, asked.max_count) })
  }

  return {
    handle: async text => {
      const value = parsed(text)
      const result = v.safeParse(request, value)
      if (!result.success) send({ ...refOf(value), data: { message: 'This message is not understood' } })
      else if (result.output.type === 'unsubscribe') subscribed.delete(result.output.$ref)
      else await subscribe(result.output)
    },
    announce: async () => {
      for (const [$ref, series] of subscribed) send({ $ref, data: await series.pointAt(now()) })
    },
  }
}

function serve(socket: WebSocket, options: SubscriptionOptions): SubscriptionSession {
  const session = createSession(options, message => sendBounded(socket, JSON.stringify(message)))
  let working: Promise<void> = Promise.resolve()
  let waiting = 0
  onText(socket, text => {
    waiting += 1
    if (waiting > MAX_PENDING) socket.pause()
    // In sequence, so that answers have the order of the requests.
    working = working
      .then(() => (socket.readyState === socket.OPEN ? session.handle(text) : undefined))
      .catch((error: unknown) => {
        options.report(`Statistics: ${error instanceof Error ? error.message : 'unknown reason'}`)
        socket.terminate()
      })
      .then(() => {
        waiting -= 1
        if (waiting <= MAX_PENDING) socket.resume()
      })
  })
  keepAlive(socket, PING_MS)
  return session
}

/**
 * The subscription socket of docs/product.md §10, on the API's port: points of users and teams over time, then updates.
 */
export function createSubscriptions(options: SubscriptionOptions) {
  const { allowedOrigins, now, report } = options
  const sessions = new Map<WebSocket, SubscriptionSession>()
  const endpoint = createSocketEndpoint({ maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: DEFLATE }, opened => {
    sessions.set(opened, serve(opened, options))
    opened.on('close', () => sessions.delete(opened))
  })

  const announce = async (): Promise<void> => {
    for (const session of sessions.values()) await session.announce()
  }

  let timer: NodeJS.Timeout | undefined
  const waitForHour = (): void => {
    timer = setTimeout(
      () => {
        announce().catch((error: unknown) => {
          report(`Statistics: ${error instanceof Error ? error.message : 'unknown reason'}`)
        })
        waitForHour()
      },
      HOUR_MS - (now() % HOUR_MS) + 1_000,
    )
  }
  waitForHour()

  return {
    upgrade: (request: IncomingMessage): Accept | Refusal => {
      if (pathOf(request) !== SUBSCRIPTION_PATH) return 404
      return isKnownCaller(request.headers, allowedOrigins) ? endpoint.accept : 403
    },
    /** Sends a point of the current time to all subscribers, as on every hour. */
    announce,
    stop: (): void => {
      clearTimeout(timer)
      for (const socket of sessions.keys()) socket.terminate()
    },
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>
