import * as v from 'valibot'
import type { Identity } from '../access/access.ts'
import { CONTROL_COMMANDS } from '../gateway/page-command.ts'
import { ROLES, SCOPES } from '../config/schema.ts'
import { alertRoutes } from './alert-routes.ts'
import { enrollRoutes } from './enroll-routes.ts'
import { historyRoutes } from './history-routes.ts'
import { after, count, format, shortText, span, get, post, type RouteSpec } from './route-fields.ts'
import { sessionAnswer } from '../../../src/folding/schedule/server-answers.ts'
import { powerRoutes } from './power-routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { sharedRoutes } from './shared-routes.ts'

/*
 * The HTTP API as a table: what each route needs, takes and returns. Checks of requests, the OpenAPI description and the
 * security test follow from it.
 */

export const unitsQuery = v.object({
  ...span,
  project: v.optional(count(9_999_999)),
  limit: v.optional(count(10_000), '500'),
  after,
  format,
})
export const pointsQuery = v.object({
  ...span,
  by: v.optional(v.picklist(['machine', 'group', 'project', 'resource', 'total']), 'total'),
  step: v.pipe(v.optional(v.picklist(['minute', 'hour', 'day']), 'hour'), v.description('What one value covers')),
  format,
})
const NEWS = ['machine', 'units', 'incidents', 'schedules', 'shared'] as const
const eventsQuery = v.object({
  types: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.maxLength(100),
        v.transform(text => text.split(',')),
        v.array(v.picklist(NEWS)),
      ),
    ),
    v.description('Only these, with commas between; default: all'),
  ),
})
export const actionsQuery = v.object({ limit: v.optional(count(1000), '100') })
export const loginQuery = v.object({
  next: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  wrong: v.optional(shortText),
})
export const loginBody = v.object({
  name: v.pipe(v.string(), v.maxLength(64)),
  password: v.pipe(v.string(), v.maxLength(1024)),
  next: v.optional(v.pipe(v.string(), v.maxLength(1000))),
})
export const commandBody = v.object({
  command: v.looseObject({ cmd: v.picklist([...CONTROL_COMMANDS, 'pause', 'unpause', 'finish']) }),
  reason: v.pipe(v.optional(shortText, ''), v.description('Why, for the record of actions')),
})
export const processorBody = v.object({
  group: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
    v.description('Its name; the first one has none'),
  ),
  gpu: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(100))),
    v.description('Its id in the data of the client, `gpu:01:00:00`; without it: the CPUs of the group'),
  ),
  state: v.picklist(['fold', 'pause', 'finish']),
  preview: v.pipe(v.optional(v.boolean(), false), v.description('Changes nothing, and says what it would cost')),
  reason: v.pipe(v.optional(shortText, ''), v.description('Why, for the record of actions')),
})

const nullable = v.nullable(v.number())
const clientAnswer = v.object({
  number: v.pipe(
    v.number(),
    v.description('Its place in the settings, from 1; its socket is /clients/<number>/api/websocket'),
  ),
  address: v.string(),
  name: v.string(),
  id: v.nullable(v.string()),
  connected: v.boolean(),
  lastMessage: v.nullable(v.string()),
  asOf: v.pipe(
    v.nullable(v.string()),
    v.description('As of when the rest is, where messages come late or are not followed; null: it is current'),
  ),
  commands: v.pipe(v.array(v.picklist(CONTROL_COMMANDS)), v.description('What operators may send to it')),
  pointsPerDay: v.number(),
  units: v.number(),
  runningUnits: v.number(),
  failedUnits: v.number(),
  cpus: v.number(),
  gpus: v.number(),
  version: v.nullable(v.string()),
  os: v.nullable(v.string()),
})
const unitAnswer = v.object({
  machine: v.string(),
  unit: v.string(),
  group: v.string(),
  resource: v.string(),
  project: nullable,
  run: nullable,
  clone: nullable,
  gen: nullable,
  core: v.nullable(v.string()),
  result: v.string(),
  credit: nullable,
  loggedCredit: nullable,
  pointsPerDay: nullable,
  runTime: v.pipe(nullable, v.description('Seconds')),
  assigned: v.nullable(v.string()),
  ended: v.string(),
})
const actionAnswer = v.object({
  id: v.number(),
  at: v.string(),
  who: v.string(),
  machine: v.string(),
  command: v.string(),
  reason: v.string(),
  outcome: v.nullable(v.string()),
})

export type ClientAnswer = v.InferOutput<typeof clientAnswer>
export type UnitAnswer = v.InferOutput<typeof unitAnswer>
export type ActionAnswer = v.InferOutput<typeof actionAnswer>

const status = v.object({ status: v.string() })

export const routes = {
  ...alertRoutes,
  ...historyRoutes,
  ...enrollRoutes,
  ...powerRoutes,
  health: get('/healthz', 'public', 'Whether the process answers', { answer: status }),
  ready: get('/readyz', 'public', 'Whether the database answers and its last write worked; else 503', {
    answer: status,
  }),
  metrics: get('/metrics', 'metrics', 'Metrics for Prometheus', { answer: 'text/plain' }),
  loginPage: get('/api/server/login', 'public', 'The page to sign in', { query: loginQuery, answer: 'text/html' }),
  login: post('/api/server/login', 'public', 'Signs in, by a form; sets a cookie', {
    isForm: true,
    body: loginBody,
    answer: 'text/html',
  }),
  logout: post('/api/server/logout', 'view', 'Signs out', { answer: status }),
  session: get('/api/server/session', 'view', 'Who is signed in', { answer: sessionAnswer }),
  machines: get('/api/server/machines', 'view', 'All machines and their state', {
    answer: v.object({ machines: v.array(clientAnswer) }),
  }),
  client: get(
    '/api/client',
    'view',
    'What answers at the address of the first machine, for the connection check of the page',
    { answer: v.object({ client: v.string(), peer: v.picklist(['client', 'none']) }) },
  ),
  command: post(
    '/api/server/machines/:number/commands',
    'control',
    'Sends a command to a machine. The outcome is `confirmed` once the machine’s own data show the effect, else `ignored` after ten seconds',
    { body: commandBody, answer: v.object({ outcome: v.picklist(['confirmed', 'ignored', 'refused']) }) },
  ),
  processor: post(
    '/api/server/machines/:number/processors',
    'control',
    'Folds, pauses or finishes one GPU of a group, or its CPUs, while the rest of the group goes on. The outcome is `none` when there is nothing to do, or with `preview`',
    {
      isCoordinated: true,
      body: processorBody,
      answer: v.object({
        outcome: v.picklist(['confirmed', 'ignored', 'refused', 'none']),
        costs: v.pipe(v.array(v.string()), v.description('What it means for other work')),
      }),
    },
  ),
  units: get('/api/server/units', 'view', 'Work units that ended, newest first', {
    query: unitsQuery,
    answer: v.object({
      units: v.array(unitAnswer),
      next: v.pipe(v.nullable(v.string()), v.description('`after` of the next page')),
    }),
  }),
  points: get('/api/server/points', 'view', 'Points per day over time. Times without data count as 0', {
    query: pointsQuery,
    answer: v.object({ points: v.array(v.object({ at: v.string(), name: v.string(), pointsPerDay: v.number() })) }),
  }),
  events: get(
    '/api/server/events',
    'view',
    'Server-sent events: `machine` (its state changed), `units` (units ended), `incidents` (they changed), `schedules` (schedules, or what they decide, changed), `shared` (what pages have in common changed)',
    { query: eventsQuery, answer: 'text/event-stream' },
  ),
  actions: get('/api/server/actions', 'administer', 'Commands that were sent through this server: who, when, why', {
    query: actionsQuery,
    answer: v.object({ actions: v.array(actionAnswer) }),
  }),
  users: get('/api/server/users', 'administer', 'Users and tokens of the settings, without their hashes', {
    answer: v.object({
      users: v.array(v.object({ name: v.string(), role: v.picklist(ROLES) })),
      tokens: v.array(v.object({ name: v.string(), scopes: v.array(v.picklist(SCOPES)), expires: v.string() })),
    }),
  }),
  ...scheduleRoutes,
  ...sharedRoutes,
  openapi: get('/api/server/openapi.json', 'view', 'This description', {
    answer: v.looseObject({ openapi: v.string() }),
  }),
} as const satisfies Readonly<Record<string, RouteSpec>>

export type RouteName = keyof typeof routes

/** A request that was checked against its route. */
export type Checked<Name extends RouteName> = {
  readonly identity: (typeof routes)[Name] extends { need: 'public' } ? Identity | undefined : Identity
  readonly query: (typeof routes)[Name] extends { query: infer Schema extends v.GenericSchema }
    ? v.InferOutput<Schema>
    : undefined
  readonly body: (typeof routes)[Name] extends { body: infer Schema extends v.GenericSchema }
    ? v.InferOutput<Schema>
    : undefined
}
