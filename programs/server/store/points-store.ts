import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { Write } from './write.ts'
import { pauseForMessages, replaceRows } from './rows.ts'
import type { SampleTable, Tables } from './schema.ts'
import { setAside } from './sound-rows.ts'

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400

/** What values are split by. */
export const DIMENSIONS = ['machine', 'group', 'project', 'resource', 'total'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export type SampleFilter = {
  /** Epoch milliseconds: at or after, and before. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly machine?: string | undefined
  readonly by: Dimension
  /** Seconds of one value. */
  readonly step: number
}

export type PointsRow = { readonly at: number; readonly name: string; readonly ppd: number }

export type PointsStore = {
  readonly points: (filter: SampleFilter) => Promise<readonly PointsRow[]>
  /**
   * Adds up hours and days until a few minutes before `now`, so that a chart of all clients reads few rows. Epoch
   * milliseconds. `sampleSeconds`: the time between two samples.
   */
  readonly sumUp: (now: number, sampleSeconds?: number) => Promise<void>
  /** Rolls up samples before `hoursBefore` to hours, and hours before `daysBefore` to days (UTC). Epoch milliseconds. */
  readonly rollUp: (hoursBefore: number, daysBefore: number) => Promise<void>
}

/** Of dates in JavaScript. */
const LAST_TIME = 8.64e15
const MOST_POINTS = 50_000
const MOST_PPD = 1e15
const HOUR_MS = HOUR_SECONDS * 1000
const DAY_MS = DAY_SECONDS * 1000
const MINUTE_MS = 60_000
/** The hour that has begun is added up in steps of this. */
const PART_MS = 5 * MINUTE_MS
/** How long after its time a sample may be written, also by another server, beside the time between two samples. */
const SETTLED_MS = MINUTE_MS
/** What is written later, such as after a change of the clock, is added up with the next hour for so long. */
const LATE_MS = 2 * HOUR_MS
/** Until when hours are added up. */
const SUMMED = 'summed'
/** Since when there are hours, before which there are days only. */
const HOURS = 'hours'

const NAMES: Readonly<Record<Dimension, RawBuilder<string>>> = {
  machine: sql`machine`,
  group: sql`group_name`,
  project: sql`CAST(project AS text)`,
  resource: sql`resource`,
  total: sql`CAST('' AS text)`,
}

/**
 * Whether a row is one that this program writes. They are too many to be looked at when the server starts, as rows of other
 * tables are, so that others are left out where they are read.
 */
function isText(column: string): RawBuilder<SqlBool> {
  return sql`CAST(${sql.ref(column)} AS text) = ${sql.ref(column)}`
}

function isSound(name: RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`ppd BETWEEN 0 AND ${sql.lit(MOST_PPD)} AND CAST(${name} AS text) = ${name}`
}

function floor(at: number, width: number): number {
  return Math.floor(at / width) * width
}

/** When a value begins. Written into the statement: a driver binds numbers as reals, or as text. */
function beginOf(milliseconds: number): RawBuilder<number> {
  const width = sql.lit(milliseconds)
  return sql<number>`(at / ${width}) * ${width}`
}

export function pointsStoreOf(db: Kysely<Tables>, write: Write): PointsStore {
  return {
    points: async filter => {
      const { from = 0, to = LAST_TIME, machine: client, by, step } = filter
      const width = step * 1000
      const isSummed = client === undefined && (step === HOUR_SECONDS || step === DAY_SECONDS)
      const [summed, hours] = isSummed ? await Promise.all([progressOf(db, SUMMED), progressOf(db, HOURS)]) : [0, 0]
      // Days where hours are not wanted or not there, then hours, then samples of the last minutes.
      const hoursFrom = step >= DAY_SECONDS ? floor(summed, DAY_MS) : Math.min(hours, floor(summed, DAY_MS))
      const first = isSummed ? floor(from, width) : from
      const spans = await spansOf(db)
      if (spans.length === 0 && !isSummed) return []
      const part = (span: number, begin: number, end: number) => sql`
      SELECT at, span, name, ppd FROM totals
      WHERE span = ${sql.lit(span)} AND dimension = ${by} AND at >= ${sql.lit(begin)} AND at < ${sql.lit(end)}
        AND ${isSound(sql`name`)}`
      // What is one value as it is, and not added to others.
      const wholeUntil = isSummed ? floor(summed, width) : 0
      const whole = isSummed
        ? await sql<PointsRow>`
          SELECT at, name, ppd FROM (${sql.join(
            [
              part(DAY_SECONDS, first, Math.min(to, hoursFrom)),
              part(HOUR_SECONDS, Math.max(first, hoursFrom), Math.min(to, wholeUntil)),
            ],
            sql` UNION ALL `,
          )}) AS parts
          ORDER BY at, name LIMIT ${sql.lit(MOST_POINTS)}`.execute(db)
        : { rows: [] }
      const samples = sql`
      SELECT at, span, ${NAMES[by]} AS name, ppd FROM samples
      WHERE span IN (${sql.join(spans.length === 0 ? [sql.lit(0)] : spans.map(span => sql.lit(span)))})
        AND at >= ${sql.lit(Math.max(from, summed))} AND at < ${sql.lit(to)} AND ${isSound(NAMES[by])}
        ${client === undefined ? sql`` : sql`AND machine = ${client}`}`
      const parts = isSummed
        ? [part(HOUR_SECONDS, Math.max(first, hoursFrom, wholeUntil), Math.min(to, summed)), samples]
        : [samples]
      // Longer spans than the step are shown where they begin: they cannot be split again.
      const { rows } = await sql<{ begun: number; name: string; ppd: number; longest: number }>`
      SELECT ${beginOf(width)} AS begun, name, sum(ppd * span) / ${sql.lit(step)} AS ppd, max(span) AS longest
      FROM (${sql.join(parts, sql` UNION ALL `)}) AS parts
      GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${sql.lit(MOST_POINTS - whole.rows.length)}`.execute(db)
      const added = rows.map(row => ({
        at: row.begun,
        name: row.name,
        ppd: (row.ppd * step) / Math.max(step, row.longest),
      }))
      return whole.rows.length === 0 ? added : [...whole.rows, ...added]
    },

    sumUp: async (now, sampleSeconds = 60) => {
      const until = floor(now - SETTLED_MS - sampleSeconds * 1000, PART_MS)
      const last = await progressOf(db, SUMMED)
      if (last === until) return
      const hour = floor(until, HOUR_MS)
      if (until > hour && last >= hour && last < until) {
        await write(change => addToHour(change, { begin: last, end: until }))
        return
      }
      const first = last === 0 ? await beginOfHistory(db) : floor(Math.min(last, until), HOUR_MS) - LATE_MS
      if (first === undefined) return
      if (last === 0) await startHours(db, write)
      // A long history would be many transactions of hours, and a long transaction keeps everything else waiting.
      const most = until - first > DAY_MS ? DAY_MS : HOUR_MS
      for (let begin = first; begin < until;) {
        const end = Math.min(until, floor(begin, most) + most)
        for (const by of DIMENSIONS) {
          const span = { by, begin, end }
          await write(change => sumPart(change, span))
          await pauseForMessages()
        }
        const reached = end
        await write(change => setProgress(change, SUMMED, reached))
        begin = end
      }
    },

    rollUp: async (hoursBefore, daysBefore) => {
      await write(async change => {
        await rollUpTo(change, HOUR_SECONDS, hoursBefore)
        await rollUpTo(change, DAY_SECONDS, daysBefore)
        const summed = await progressOf(change, SUMMED)
        const keptFrom = Math.min(floor(daysBefore, DAY_MS), floor(summed, DAY_MS))
        await setBadSumsAside(change, keptFrom)
        if (keptFrom <= (await progressOf(change, HOURS))) return
        await change.deleteFrom('totals').where('span', '=', HOUR_SECONDS).where('at', '<', keptFrom).execute()
        await setProgress(change, HOURS, keptFrom)
      })
    },
  }
}

async function progressOf(db: Kysely<Tables>, name: string): Promise<number> {
  return (await db.selectFrom('progress').select('at').where('name', '=', name).executeTakeFirst())?.at ?? 0
}

function setProgress(db: Kysely<Tables>, name: string, at: number): Promise<void> {
  return replaceRows(db, 'progress', ['name'], [{ name, at }])
}

/** The spans of samples, of which there are few: with them, a range of times is one of the primary key. */
async function spansOf(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ span: number }>`
    WITH RECURSIVE spans(span) AS (
      SELECT min(span) FROM samples
      UNION ALL
      SELECT (SELECT min(span) FROM samples WHERE samples.span > spans.span) FROM spans WHERE spans.span IS NOT NULL
    )
    SELECT span FROM spans WHERE span IS NOT NULL`.execute(db)
  return rows.flatMap(({ span }) => (Number.isSafeInteger(span) && span > 0 ? [span] : []))
}

/** The day of the oldest sample. */
async function beginOfHistory(db: Kysely<Tables>): Promise<number | undefined> {
  const begins: number[] = []
  for (const span of await spansOf(db)) {
    const query = db.selectFrom('samples').select('at').where('span', '=', span).orderBy('at').limit(1)
    const first = await query.where('at', '>=', 0).where('at', '<=', LAST_TIME).executeTakeFirst()
    if (first !== undefined) begins.push(floor(first.at, DAY_MS))
  }
  return begins.length === 0 ? undefined : Math.min(...begins)
}

/** A database of an earlier version may have days already. */
async function startHours(db: Kysely<Tables>, write: Write): Promise<void> {
  const newest = await db
    .selectFrom('samples')
    .select('at')
    .where('span', '=', DAY_SECONDS)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest !== undefined) await write(change => setProgress(change, HOURS, newest.at + DAY_MS))
}

type Part = { readonly begin: number; readonly end: number }

/** Hours of a part of one day, and that day if the part ends it. Sums that are there are replaced. */
async function sumPart(db: Kysely<Tables>, { by, begin, end }: Part & { readonly by: Dimension }): Promise<void> {
  const spans = await spansOf(db)
  const hours = spans.filter(span => span <= HOUR_SECONDS)
  const day = floor(begin, DAY_MS)
  if (hours.length > 0) await sumSamples(db, { by, seconds: HOUR_SECONDS, spans: hours, begin, end })
  if (end === day + DAY_MS) await sumSamples(db, { by, seconds: DAY_SECONDS, spans, begin: day, end })
}

/** Adds a part of an hour to what is there of it. Its first part replaces what an hour that came before has left. */
async function addToHour(db: Kysely<Tables>, { begin, end }: Part): Promise<void> {
  const spans = (await spansOf(db)).filter(span => span <= HOUR_SECONDS)
  const isAdded = begin > floor(begin, HOUR_MS)
  if (spans.length > 0)
    for (const by of DIMENSIONS) await sumSamples(db, { by, seconds: HOUR_SECONDS, spans, begin, end, isAdded })
  await setProgress(db, SUMMED, end)
}

type Sum = {
  readonly by: Dimension
  readonly seconds: number
  readonly spans: readonly number[]
  readonly begin: number
  readonly end: number
  readonly isAdded?: boolean
}

async function sumSamples(db: Kysely<Tables>, { by, seconds, spans, begin, end, isAdded = false }: Sum): Promise<void> {
  await sql`
    INSERT INTO totals (span, dimension, at, name, ppd)
    SELECT ${sql.lit(seconds)}, ${sql.lit(by)}, ${beginOf(seconds * 1000)}, ${NAMES[by]}, sum(ppd * span) / ${sql.lit(seconds)}
    FROM samples
    WHERE span IN (${sql.join(spans.map(span => sql.lit(span)))}) AND at >= ${sql.lit(begin)} AND at < ${sql.lit(end)}
      AND ${isSound(NAMES[by])}
    GROUP BY 3, 4
    ON CONFLICT (span, dimension, at, name) DO UPDATE
    SET ppd = ${isAdded ? sql`totals.ppd + excluded.ppd` : sql`excluded.ppd`}`.execute(db)
}

const SPANS = sql`span BETWEEN 1 AND ${sql.lit(DAY_SECONDS)}`
const TIMES = sql`at BETWEEN 0 AND ${sql.lit(LAST_TIME)}`
const OUTSIDE = sql`span < 1 OR span > ${sql.lit(DAY_SECONDS)}`

/**
 * Of samples that are rolled up next, and of those that never would be since their times are impossible, the bad ones. All are
 * ranges of the primary key.
 */
async function setBadSamplesAside(change: Kysely<Tables>, spans: readonly number[], before: number): Promise<void> {
  const isSample = sql`COALESCE(${isSound(NAMES.machine)} AND ${isText('group_name')} AND ${isText('resource')}
    AND ${SPANS} AND ${TIMES}, false)`
  const isOfSpan = sql`span IN (${sql.join(spans.map(each => sql.lit(each)))})`
  const isNext = sql`${isOfSpan} AND at < ${sql.lit(before)}`
  const isNever = sql`${isOfSpan} AND at > ${sql.lit(LAST_TIME)}`
  await setAside(change, 'samples', sql`(${OUTSIDE} OR (${isNext}) OR (${isNever})) AND NOT ${isSample}`)
}

/** Sums of hours that days replace, and sums at impossible times. */
async function setBadSumsAside(change: Kysely<Tables>, kept: number): Promise<void> {
  const isSum = sql`COALESCE(${isSound(sql`name`)} AND ${SPANS} AND ${TIMES}, false)`
  const isNext = sql`span = ${sql.lit(HOUR_SECONDS)} AND at < ${sql.lit(kept)}`
  await setAside(change, 'totals', sql`(${OUTSIDE} OR (${isNext})) AND NOT ${isSum}`)
}

/** Means over whole hours or days. Rows of such a span may exist, when the clock went back: they are added to. */
async function rollUpTo(db: Kysely<Tables>, span: number, before: number): Promise<void> {
  const milliseconds = span * 1000
  const seconds = sql.lit(span)
  const shorter = (await spansOf(db)).filter(each => each < span)
  if (shorter.length === 0) return
  await setBadSamplesAside(db, shorter, floor(before, milliseconds))
  const isOld = sql`span IN (${sql.join(shorter.map(each => sql.lit(each)))}) AND at < ${sql.lit(floor(before, milliseconds))}`
  await sql`
    INSERT INTO samples (at, span, machine, group_name, project, resource, ppd)
    SELECT ${beginOf(milliseconds)}, ${seconds}, machine, group_name, project, resource, sum(ppd * span) / ${seconds}
    FROM samples WHERE ${isOld}
    GROUP BY 1, machine, group_name, project, resource
    ON CONFLICT (span, at, machine, group_name, project, resource) DO UPDATE SET ppd = samples.ppd + excluded.ppd`.execute(
    db,
  )
  await sql`DELETE FROM samples WHERE ${isOld}`.execute(db)
}

/** What of samples is one row. */
export const SAMPLE_KEY: readonly (keyof SampleTable)[] = ['span', 'at', 'machine', 'group_name', 'project', 'resource']
