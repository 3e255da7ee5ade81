import * as v from 'valibot'
import { bad, good, type Result } from '../fault.ts'
import { isoTime } from '../iso-time.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { object, plainNumber, plainText } from '../schema.ts'
import { firstFault } from '../shape.ts'

/** Messages of the statistics subscription socket (docs/product.md §10). */

/** The name of a series, on the wire and here. */
export type SeriesRef = `team-${number}` | `user-${number}-${number}`

/** Cumulative score and work units at an instant (epoch milliseconds). */
export type SeriesPoint = { readonly at: number; readonly score: number; readonly wus: number }

export type SeriesMessage =
  | { readonly kind: 'points'; readonly ref: SeriesRef; readonly points: readonly SeriesPoint[] }
  | { readonly kind: 'refused'; readonly ref: SeriesRef | undefined; readonly message: string }

/** The most points requested and kept. */
export const MAX_POINTS = 10_000

function seriesOf(ref: SeriesRef): JsonObject {
  const [kind, id = 0, pid = 0] = ref.split('-')
  return kind === 'team'
    ? { timeseries: 'team.score', team: Number(id), $ref: ref }
    : { timeseries: 'user.score', uid: Number(id), pid: Number(pid), $ref: ref }
}

/** `since`: epoch milliseconds of the last known point. */
export function subscribeMessage(ref: SeriesRef, since: number | undefined): JsonObject {
  return {
    type: 'subscribe',
    ...seriesOf(ref),
    max_count: MAX_POINTS,
    ...(since === undefined ? {} : { since: isoTime(since) }),
  }
}

export function unsubscribeMessage(ref: SeriesRef): JsonObject {
  return { type: 'unsubscribe', ...seriesOf(ref) }
}

const point = object({ time: plainText, value: object({ score: plainNumber, wus: plainNumber }) })

function isSeriesRef(value: unknown): value is SeriesRef {
  return typeof value === 'string' && /^(?:team-\d+|user-\d+-\d+)$/.test(value)
}

/** A list of points newest first, a single later point, or an error. Invalid points are left out. */
export function decodeSeriesMessage(json: Json): Result<SeriesMessage> {
  const data = isJsonObject(json) ? json['data'] : undefined
  const name = isJsonObject(json) ? json['$ref'] : undefined
  const ref = isSeriesRef(name) ? name : undefined
  if (isJsonObject(data) && typeof data['message'] === 'string')
    return good({ kind: 'refused', ref, message: data['message'] })
  if (ref === undefined || data === undefined)
    return bad({ kind: 'unknown-message', found: ref ?? 'a series without a name' })
  const listed = isJsonList(data) ? data : [data]
  const points = listed.flatMap(item => pointOf(item) ?? [])
  const wrong = listed.find(item => pointOf(item) === undefined)
  return good({ kind: 'points', ref, points }, wrong === undefined ? [] : [firstFault(point, wrong)])
}

/** What the server of the page keeps (docs/server.md): one record an hour, in order of time. Wrong ones are left out. */
export function decodeStandings(json: Json): Result<readonly SeriesPoint[]> {
  const records = isJsonObject(json) ? json['standings'] : undefined
  if (!isJsonList(records)) return bad({ kind: 'unknown-message', found: 'standings' })
  return good(
    records.slice(-MAX_POINTS).flatMap(record => {
      if (!v.is(standing, record)) return []
      const at = Date.parse(record.at)
      const { points: score, units: wus } = record
      return [at, score, wus].every(Number.isFinite) ? [{ at, score, wus }] : []
    }),
  )
}

const standing = object({ at: plainText, points: plainNumber, units: plainNumber })

function pointOf(item: Json): SeriesPoint | undefined {
  if (!v.is(point, item)) return undefined
  const at = Date.parse(item.time)
  const { score, wus } = item.value
  return [at, score, wus].every(Number.isFinite) ? { at, score, wus } : undefined
}
