import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Excess } from '../../src/folding/machine/machine-excess.ts'
import { distinctNames } from '../../src/folding/machine/identity.ts'
import { idOfKey, traitsOf } from '../../src/folding/machine/machine-key.ts'
import type { StoredIncident } from '../../src/machines/incidents/incident/incident.machine.ts'
import { SECURITY_HEADERS } from '../../network/serve/headers.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { mayUse } from '../access/access.ts'
import type { Access, Identity } from '../access/access.ts'
import { callerOf } from '../access/caller.ts'
import type { Config } from '../config/schema.ts'
import type { Outlets } from '../gateway/outlets.ts'
import { readPageContent } from '../gateway/page-command.ts'
import type { ControlRequest } from '../gateway/page-command.ts'
import type { Outcome } from '../gateway/pacer.ts'
import type { MachineState } from '../machines/server/server.selectors.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../store/points-store.ts'
import type { EndedUnit, ServerStore } from '../store/store.ts'
import { csv } from './csv.ts'
import { alertHandlers } from './alert-handlers.ts'
import { machineAnswer, timeText, unitAnswer } from './answers.ts'
import { eventHandlers } from './event-stream.ts'
import { historyHandlers } from './history-handlers.ts'
import { enrollHandlers, type Enrolling } from './enroll-routes.ts'
import { FORM_HEADERS, localPath, loginPage } from './form-pages.ts'
import type { Metrics } from './metrics.ts'
import { describeApi } from './openapi.ts'
import { routes } from './routes.ts'
import type { RouteSpec } from './route-fields.ts'
import type { ActionAnswer, Checked, RouteName } from './routes.ts'
import { scheduleHandlers } from './schedule-api.ts'
import { sharedHandlers } from './shared-routes.ts'
import type { Scheduling } from '../schedules/scheduling.ts'

/** `identity`: of an admitted request. `isPassedOn`: another server admitted it. */
export type Bindings = {
  readonly incoming: IncomingMessage
  readonly identity: Identity | undefined
  readonly isPassedOn?: true
}
type ApiContext = Context<{ Bindings: Bindings }>

export type ListedMachine = MachineState & {
  readonly number: number
  readonly address: string
  readonly commands: Config['machines'][number]['commands']
  readonly tags: readonly string[]
  /** Its name in the settings, or in the account. */
  readonly givenName: string | undefined
  /** Of what it sent more than a client does, while it is left alone for that. */
  readonly excess: Excess | undefined
}

export type ServerNews =
  | { readonly type: 'machine'; readonly machine: ListedMachine }
  | { readonly type: 'units'; readonly units: readonly EndedUnit[] }
  | { readonly type: 'incidents'; readonly incidents: readonly StoredIncident[] }
  /** Schedules, or what they decide, changed. */
  | { readonly type: 'schedules' }
  /** Tags or saved views changed. */
  | { readonly type: 'shared' }

export type ApiServices = {
  readonly version: string
  readonly log: Pick<Logger, 'error'>
  readonly access: Access
  readonly outlets: Outlets
  readonly alerts: Alerts
  /** Public key for Web Push; undefined without a channel that needs it. */
  readonly pushKey: string | undefined
  readonly config: Pick<Config, 'users' | 'tokens' | 'channels' | 'alerts'>
  readonly store: ServerStore
  readonly metrics: Metrics
  readonly scheduling: Scheduling
  readonly enrolling: Enrolling
  readonly machines: () => readonly ListedMachine[]
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Sends a command to a machine in the name of a user or program, by its number from 1. */
  readonly command: (
    number: number,
    request: ControlRequest,
    identity: Identity,
    reason: string,
  ) => Promise<Outcome | 'forbidden'>
  /** Passes a request on to the server that coordinates; undefined when that is this one. */
  readonly coordinator: () => ((request: Request, identity: Identity, body: unknown) => Promise<Response>) | undefined
  /** Called when tags or saved views were changed here. */
  readonly onShared: () => void
  /** Calls back with news until the returned function is called. */
  readonly follow: (listener: (news: ServerNews) => void) => () => void
}

const MOST_BODY_BYTES = 1_048_576
const MOST_FORM_BYTES = 8_192
const STEP_SECONDS = { minute: 60, hour: HOUR_SECONDS, day: DAY_SECONDS } as const

export type Handlers = {
  readonly [Name in RouteName]: (request: Checked<Name>, context: ApiContext) => Response | Promise<Response>
}

/** The HTTP API: routes by their table, each checked for access, its query and its body first. */
export const createApi = (services: ApiServices): Hono<{ Bindings: Bindings }> => {
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
      const body = route.body === undefined ? undefined : v.safeParse(route.body, content)
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

const issuesText = (issues: readonly v.BaseIssue<unknown>[]): string =>
  issues
    .slice(0, 5)
    .map(issue => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`)
    .join('; ')

const readBody = async (context: ApiContext, { isForm = false, mostBytes }: RouteSpec): Promise<unknown> => {
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
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const handlersOf = (services: ApiServices): Handlers => {
  const { access, config, store, metrics } = services
  const labels = async (): Promise<ReadonlyMap<string, string>> => {
    const machines = await store.machines()
    const names = distinctNames(
      machines.map(({ id, name, address }) => ({ name, id: idOfKey(id), address, traits: traitsOf(undefined) })),
    )
    return new Map(machines.map(({ id, name }, index) => [id, names[index] ?? name]))
  }

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
    metrics: async (_, context) => context.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType }),

    loginPage: ({ query }) =>
      new Response(loginPage(localPath(query.next), query.wrong), {
        headers: { ...FORM_HEADERS, 'Content-Type': 'text/html; charset=utf-8' },
      }),
    login: async ({ body }, context) => {
      const result = await access.login(callerOf(context.env.incoming), body.name, body.password)
      const next = localPath(body.next)
      if (result.kind === 'signed-in') {
        context.header('Set-Cookie', result.cookie)
        return context.redirect(next, 303)
      }
      if (result.kind === 'slow-down') context.header('Retry-After', String(result.seconds))
      const status = result.kind === 'wrong' ? 401 : 429
      return context.body(loginPage(next, result.kind, body.name), status, {
        ...FORM_HEADERS,
        'Content-Type': 'text/html; charset=utf-8',
      })
    },
    logout: async ({ identity }, context) => {
      context.header('Set-Cookie', await access.logout(callerOf(context.env.incoming), identity))
      return context.json({ status: 'signed out' })
    },
    session: async ({ identity }, context) => {
      const { name, role, scopes, expires, session } = identity
      return context.json({
        name,
        role,
        scopes: scopes ?? null,
        expires: timeText(expires),
        mayControl: mayUse(identity, 'control'),
        canSignOut: session !== undefined,
        shared: await store.shared.revision(),
        server: { name: hostname(), version: services.version },
        machines: services.machines().map(({ number, givenName, commands, excess }) => ({
          number,
          name: givenName,
          commands: [...commands],
          excess,
        })),
      })
    },

    ...alertHandlers(services),
    ...historyHandlers(services),
    ...eventHandlers(services),
    ...enrollHandlers(services),
    machines: (_, context) => context.json({ machines: services.machines().map(machineAnswer) }),
    client: (_, context) => {
      const [first] = services.machines()
      return first === undefined
        ? context.json({ error: 'There are no machines' }, 404)
        : context.json({ client: first.address, peer: first.isConnected ? 'client' : 'none' })
    },
    command: async ({ identity, body }, context) => {
      const number = Number(context.req.param('number'))
      const machine = services.machines().find(each => each.number === number)
      if (machine === undefined) return context.json({ error: 'There is no such machine' }, 404)
      const message = readPageContent(body.command as never, machine.isConnected ? machine.data : undefined)
      if (message.kind !== 'control') return context.json({ error: 'The command is not valid' }, 400)
      const outcome = await services.command(
        number,
        message.request,
        identity,
        body.reason === '' ? 'HTTP API' : body.reason,
      )
      if (outcome === 'forbidden')
        return context.json({ error: `The settings of this machine do not allow ${message.request.cmd}` }, 403)
      return context.json({ outcome })
    },

    units: async ({ query }, context) => {
      const { units, next } = await store.units(
        { ...spanOf(query), machine: query.machine, project: query.project },
        query.limit,
        query.after,
      )
      const names = await labels()
      const rows = units.map(unit => unitAnswer(unit, names))
      if (query.format === 'csv') return csv(context, rows, 'units.csv', next)
      return context.json({ units: rows, next: next ?? null })
    },
    points: async ({ query }, context) => {
      const rows = await store.points({
        ...spanOf(query),
        machine: query.machine,
        by: query.by,
        step: STEP_SECONDS[query.step],
      })
      const names = query.by === 'machine' ? await labels() : new Map<string, string>()
      const points = rows.map(({ at, name, ppd }) => ({
        at: new Date(at).toISOString(),
        name: names.get(name) ?? name,
        pointsPerDay: Math.round(ppd),
      }))
      return query.format === 'csv' ? csv(context, points, 'points.csv', undefined) : context.json({ points })
    },

    actions: async ({ query }, context) => {
      const actions: ActionAnswer[] = (await store.actions(query.limit)).map(({ at, ...action }) => ({
        ...action,
        at: new Date(at).toISOString(),
      }))
      return context.json({ actions })
    },
    users: (_, context) =>
      context.json({
        users: config.users.map(({ name, role }) => ({ name, role })),
        tokens: config.tokens.map(({ name, scopes, expires }) => ({ name, scopes, expires: expires.toISOString() })),
      }),
    ...scheduleHandlers(services),
    ...sharedHandlers(services),
    openapi: (_, context) => context.json(describeApi(services.version)),
  }
}

const spanOf = ({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) => ({
  ...(from === undefined ? {} : { from: Date.parse(from) }),
  ...(to === undefined ? {} : { to: Date.parse(to) }),
})
