import { Hono } from 'hono'
import * as v from 'valibot'
import { SECURITY_HEADERS } from '../../host/headers.ts'
import { parseMessage } from '../../../src/protocol/json.ts'
import { mayUse } from '../access/access.ts'
import { pauseForMessages } from '../event-loop.ts'
import { answerInParts } from './answer-in-parts.ts'
import { alertHandlers } from './alert-handlers.ts'
import { enrollHandlers } from './enroll-handlers.ts'
import { eventHandlers } from './event-stream.ts'
import type { ApiContext, ApiServices, Bindings, Handlers } from './handler.ts'
import { historyHandlers } from './history-handlers.ts'
import { clientHandlers } from './client-handlers.ts'
import { describeApi } from './openapi.ts'
import type { RouteSpec } from './route-fields.ts'
import { routes, type Checked, type RouteName } from './routes.ts'
import { powerHandlers } from './power-handlers.ts'
import { scheduleHandlers } from './schedule-api.ts'
import { sessionHandlers } from './session-handlers.ts'
import { sharedHandlers } from './shared-handlers.ts'

export const MOST_BODY_BYTES = 1_048_576
export const MOST_FORM_BYTES = 8_192

/** The HTTP API: routes by their table, each checked for access, its query and its body first. */
export function createApi(services: ApiServices): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>()
  const handlers = handlersOf(services)
  app.use(async (context, next) => {
    await next()
    for (const [header, value] of Object.entries({ ...SECURITY_HEADERS, 'Cache-Control': 'no-store' }))
      if (!context.res.headers.has(header)) context.header(header, value)
  })
  const add = (name: RouteName, route: RouteSpec): void => {
    const handle = handlers[name] as (request: Checked<RouteName>, context: ApiContext) => Response | Promise<Response>
    app.on(route.method, route.path, async context => {
      const { identity, isPassedOn = false } = context.env
      if (!mayUse(identity, route.need))
        return identity === undefined
          ? context.json({ error: 'Not signed in' }, 401)
          : context.json({ error: 'Not allowed' }, 403)
      const query = route.query === undefined ? undefined : v.safeParse(route.query, context.req.query())
      if (query?.success === false) return context.json({ error: issuesText(query.issues) }, 400)
      const content = route.body === undefined ? undefined : await readBody(context, route)
      if (content === 'too-large') return context.json({ error: 'Too large' }, 413)
      // Large ones are read, checked and handled one after another, and a list of faults is as long as they are.
      if (route.body !== undefined) await pauseForMessages()
      const body = route.body === undefined ? undefined : v.safeParse(route.body, content, { abortEarly: true })
      if (route.body !== undefined) await pauseForMessages()
      if (body?.success === false) return context.json({ error: issuesText(body.issues) }, 400)
      const pass = route.isCoordinated === true && identity !== undefined ? services.coordinator() : undefined
      if (pass !== undefined && identity !== undefined)
        return isPassedOn
          ? context.json({ error: 'Another server takes over: try again' }, 503)
          : pass(context.req.raw, identity, content)
      return handle({ identity, query: query?.output, body: body?.output } as Checked<RouteName>, context)
    })
  }
  for (const [name, route] of Object.entries<RouteSpec>(routes)) add(name as RouteName, route)
  app.notFound(context => context.json({ error: 'Not found' }, 404))
  app.onError((error, context) => {
    services.log.error({ err: error, method: context.req.method, path: context.req.path }, 'a request failed')
    return context.json({ error: 'The server failed' }, 500)
  })
  return app
}

function issuesText(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, 5)
    .map(issue => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`)
    .join('; ')
}

async function readBody(context: ApiContext, { isForm = false, mostBytes }: RouteSpec): Promise<unknown> {
  const most = mostBytes ?? (isForm ? MOST_FORM_BYTES : MOST_BODY_BYTES)
  if (Number(context.req.header('content-length') ?? 0) > most) return 'too-large'
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = context.req.raw.body?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > most) {
      await reader?.cancel()
      return 'too-large'
    }
    chunks.push(part.value)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (isForm) return Object.fromEntries(new URLSearchParams(text))
  // Neither deeper nor with other keys than what clients send.
  const content = parseMessage(text)
  return content.ok ? content.value : undefined
}

function handlersOf(services: ApiServices): Handlers {
  const { metrics, store, version } = services
  let description: ReturnType<typeof describeApi> | undefined
  return {
    health: (_, context) => context.json({ status: 'ok' }),
    ready: async (_, context) => {
      try {
        await store.check()
        return context.json({ status: 'ready' })
      } catch {
        return context.json({ status: 'the database does not answer, or its last write failed' }, 503)
      }
    },
    metrics: (_, context) => answerInParts(context, metrics.families(), { 'Content-Type': metrics.contentType }),
    openapi: (_, context) => context.json((description ??= describeApi(version))),
    ...alertHandlers(services),
    ...enrollHandlers(services),
    ...eventHandlers(services),
    ...historyHandlers(services),
    ...clientHandlers(services),
    ...powerHandlers(services),
    ...scheduleHandlers(services),
    ...sessionHandlers(services),
    ...sharedHandlers(services),
  }
}
