import * as v from 'valibot'
import type { Need } from '../access/access.ts'
import { UNIT_POSITION } from '../store/store.ts'

/* What entries of the tables of routes are made of. */

const time = v.pipe(
  v.string(),
  v.description('ISO 8601, such as 2027-01-31 or 2027-01-31T18:00:00Z'),
  v.check(text => !Number.isNaN(Date.parse(text)), 'must be a date or time in ISO 8601'),
)
export const shortText = v.pipe(v.string(), v.maxLength(200))
export function count(most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,7}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(most),
  )
}

export const format = v.optional(v.picklist(['json', 'csv']), 'json')

/** A span of time, and a client. */
export const span = { from: v.optional(time), to: v.optional(time), machine: v.optional(shortText) }

/** `next` of the page of units before. */
export const after = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(520),
    v.check(text => UNIT_POSITION.test(text), 'must be `next` of the page before'),
  ),
)

export type RouteSpec = {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly need: Need
  readonly summary: string
  /** Whether the server that coordinates has to answer, where several servers use one database. */
  readonly isCoordinated?: true
  /** The body comes from a form of a page of this server. */
  readonly isForm?: boolean
  /** Bytes of a body; default: 1 MB. */
  readonly mostBytes?: number
  readonly query?: v.GenericSchema
  readonly body?: v.GenericSchema
  /** The JSON of an answer with status 200; text in other formats is named by its type. */
  readonly answer: v.GenericSchema | 'text/html' | 'text/plain' | 'text/event-stream'
}

type Details = Omit<RouteSpec, 'method' | 'path' | 'need' | 'summary'>

function routesBy<Method extends RouteSpec['method']>(method: Method) {
  return <const Name extends Need, const Rest extends Details>(
    path: string,
    need: Name,
    summary: string,
    rest: Rest,
  ) => ({
    method,
    path,
    need,
    summary,
    ...rest,
  })
}
export const get = routesBy('get')
export const post = routesBy('post')
