import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { Write } from './write.ts'
import { createPauses, partsOf, pauseForMessages, replaceRows } from './rows.ts'
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
  /**
   * Rolls up samples before `hoursBefore` to hours, and hours before `daysBefore` to days (UTC), in parts. Epoch milliseconds. Resolves with
   * whether it came to the end, after at most some seconds: otherwise it goes on with the next call.
   */
  readonly rollUp: (hoursBefore: number, daysBefore: number) => Promise<boolean>
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
/** How often samples were added up, or moved to hours and days, or hours were removed. */
const CHANGES = 'changes'

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
      for (let before = await progressOf(db, CHANGES); ;) {
        const rows = await readPoints(db, filter)
        const after = await progressOf(db, CHANGES)
        // Meanwhile samples were added up or moved, or hours were removed: they may have been counted twice, or missed.
        if (before === after) return rows
        before = after
      }
    },

    sumUp: async (now, sampleSeconds = 60) => {
      const until = floor(now - SETTLED_MS - sampleSeconds * 1000, PART_MS)
      const last = await progressOf(db, SUMMED)
      if (last === until) return
      const hour = floor(until, HOUR_MS)
      if (until > hour && last >= hour && last < until) {
        await sumPart(db, write, { begin: last, end: until, isAdded: last > hour })
        return
      }
      const first = last === 0 ? await beginOfHistory(db) : floor(Math.min(last, until), HOUR_MS) - LATE_MS
      if (first === undefined) return
      if (last === 0) await startHours(db, write)
      // A long history would be many transactions of hours, and a long transaction keeps everything else waiting.
      const most = until - first > DAY_MS ? DAY_MS : HOUR_MS
      for (let begin = first; begin < until;) {
        const end = Math.min(until, floor(begin, most) + most)
        await sumPart(db, write, { begin, end, isAdded: false })
        begin = end
      }
    },

    rollUp: async (hoursBefore, daysBefore) => {
      await write(setImpossibleAside)
      const left = await rollUpTo(db, write, HOUR_SECONDS, hoursBefore, MOST_PARTS)
      if ((await rollUpTo(db, write, DAY_SECONDS, daysBefore, left)) === 0) return false
      const keptFrom = floor(Math.min(daysBefore, await progressOf(db, SUMMED)), DAY_MS)
      if (keptFrom > (await progressOf(db, HOURS))) await write(change => setProgress(change, HOURS, keptFrom))
      for (const by of DIMENSIONS) await removeHours(db, write, by, keptFrom)
      return true
    },
  }
}

async function readPoints(db: Kysely<Tables>, filter: SampleFilter): Promise<readonly PointsRow[]> {
  const { from = 0, to = LAST_TIME, machine: client, by, step } = filter
  const width = step * 1000
  const isSummed = client === undefined && (step === HOUR_SECONDS || step === DAY_SECONDS)
  const [summed, hours] = isSummed ? await Promise.all([progressOf(db, SUMMED), progressOf(db, HOURS)]) : [0, 0]
  // Days where hours are not wanted or not there, then hours, then samples of the last minutes.
  const hoursFrom = step >= DAY_SECONDS ? floor(summed, DAY_MS) : Math.min(hours, floor(summed, DAY_MS))
  const first = isSummed ? floor(from, width) : from
  // What is one value as it is, and not added to others.
  const wholeUntil = isSummed ? floor(summed, width) : 0
  const whole: PointsRow[] = []
  const sums = createSums()
  if (isSummed) {
    const days = { begin: first, end: Math.min(to, hoursFrom) }
    const wholeHours = { begin: Math.max(first, hoursFrom), end: Math.min(to, wholeUntil) }
    whole.push(...(await readTotals(db, { by, seconds: DAY_SECONDS, ...days }, MOST_POINTS)))
    whole.push(...(await readTotals(db, { by, seconds: HOUR_SECONDS, ...wholeHours }, MOST_POINTS - whole.length)))
    const others = { begin: Math.max(first, hoursFrom, wholeUntil), end: Math.min(to, summed) }
    await addHours(db, by, others, width, sums)
  }
  const time = { begin: Math.max(from, summed), end: to }
  for (const span of await spansOf(db)) {
    let read = 0
    for await (const part of partsOfTime(db, { span, client }, time, width)) {
      const rows = await readSamples(db, { by, seconds: step, span, client, ...part })
      sums.add(rows)
      read += rows.length
      if (read >= MOST_POINTS) break
    }
  }
  // Longer spans than the step are shown where they begin: they cannot be split again.
  const added = sums
    .rows()
    .map(({ at, name, amount, longest }) => ({ at, name, ppd: amount / Math.max(step, longest) }))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  return [...whole, ...added].slice(0, MOST_POINTS)
}

async function progressOf(db: Kysely<Tables>, name: string): Promise<number> {
  return (await db.selectFrom('progress').select('at').where('name', '=', name).executeTakeFirst())?.at ?? 0
}

function setProgress(db: Kysely<Tables>, name: string, at: number): Promise<void> {
  return replaceRows(db, 'progress', ['name'], [{ name, at }])
}

/** First in a transaction: a server that does the same waits until it is over, and then sees what was done. */
async function countChange(change: Kysely<Tables>): Promise<void> {
  await change
    .insertInto('progress')
    .values({ name: CHANGES, at: 1 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ at: eb('progress.at', '+', 1) })))
    .execute()
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
type OfDimension = Part & { readonly by: Dimension; readonly seconds: number }
type Source = { readonly span: number; readonly client?: string | undefined }

/** Between parts that are rolled up: the log of the database is moved to it meanwhile (libsql.ts), and does not grow. */
const PART_APART_MS = 50
/** Parts of one roll-up, during which samples and units wait. */
const MOST_PARTS = 100

/** Samples that one statement reads or changes: SQLite works on the thread of the server. */
const ROWS_AT_ONCE = 10_000

/**
 * Parts of a time with about `ROWS_AT_ONCE` samples each, cut at multiples of `width`: one of these is never cut. Messages are handled
 * between them.
 */
async function* partsOfTime(
  db: Kysely<Tables>,
  { span, client }: Source,
  { begin, end }: Part,
  width = 1,
): AsyncGenerator<Part> {
  for (let from = begin; from < end;) {
    const all = db.selectFrom('samples').select('at').where('span', '=', span).where('at', '>=', from)
    const ofClient = client === undefined ? all : all.where('machine', '=', client)
    const next = await ofClient.where('at', '<', end).orderBy('at').limit(1).offset(ROWS_AT_ONCE).executeTakeFirst()
    const until = next === undefined ? end : Math.max(floor(next.at, width), floor(from, width) + width)
    const part = { begin: from, end: Math.min(end, until) }
    yield part
    await pauseForMessages()
    from = part.end
  }
}

/** `amount`: points per day times seconds. `longest`: seconds of the longest sample. */
type SummedRow = {
  readonly at: number
  readonly name: string
  readonly amount: number
  readonly longest: number
}

async function readSamples(
  db: Kysely<Tables>,
  { by, seconds, span, client, begin, end }: OfDimension & Source,
): Promise<readonly SummedRow[]> {
  const { rows } = await sql<SummedRow>`
    SELECT ${beginOf(seconds * 1000)} AS at, ${NAMES[by]} AS name, sum(ppd * span) AS amount, max(span) AS longest
    FROM samples
    WHERE span = ${sql.lit(span)} AND at >= ${sql.lit(begin)} AND at < ${sql.lit(end)} AND ${isSound(NAMES[by])}
      ${client === undefined ? sql`` : sql`AND machine = ${client}`}
    GROUP BY 1, 2`.execute(db)
  return rows
}

/** In the order of time and name. */
function readTotals(
  db: Kysely<Tables>,
  { by, seconds, begin, end }: OfDimension,
  most?: number,
): Promise<readonly PointsRow[]> {
  const query = db
    .selectFrom('totals')
    .select(['at', 'name', 'ppd'])
    .where('span', '=', seconds)
    .where('dimension', '=', by)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .where(isSound(sql`name`))
    .orderBy('at')
    .orderBy('name')
  return (most === undefined ? query : query.limit(most)).execute()
}

/** One row for each time and name. */
function createSums() {
  const sums = new Map<string, SummedRow>()
  return {
    add: (rows: readonly SummedRow[]): void => {
      for (const row of rows) {
        const key = `${row.at} ${row.name}`
        const before = sums.get(key)
        const amount = row.amount + (before?.amount ?? 0)
        sums.set(key, { ...row, amount, longest: Math.max(row.longest, before?.longest ?? 0) })
      }
    },
    rows: (): readonly SummedRow[] => [...sums.values()],
  }
}

/** Sums of samples of these spans, one for each `seconds` and name. */
async function sumsOf(
  db: Kysely<Tables>,
  { spans, ...of }: OfDimension & { readonly spans: readonly number[] },
): Promise<readonly SummedRow[]> {
  const sums = createSums()
  for (const span of spans)
    for await (const part of partsOfTime(db, { span }, of)) sums.add(await readSamples(db, { ...of, span, ...part }))
  return sums.rows()
}

async function writeTotals(
  change: Kysely<Tables>,
  { by, seconds }: { readonly by: Dimension; readonly seconds: number },
  sums: readonly SummedRow[],
  isAdded = false,
): Promise<void> {
  const pause = createPauses()
  for (const part of partsOf(sums)) {
    await change
      .insertInto('totals')
      .values(
        part.map(({ at, name, amount }) => ({ ...{ span: seconds, dimension: by, at, name }, ppd: amount / seconds })),
      )
      .onConflict(conflict =>
        conflict.columns(['span', 'dimension', 'at', 'name']).doUpdateSet(eb => ({
          ppd: isAdded ? eb('totals.ppd', '+', eb.ref('excluded.ppd')) : eb.ref('excluded.ppd'),
        })),
      )
      .execute()
    await pause()
  }
}

/**
 * Hours of a part of one day, and that day if the part ends it. Sums that are there are replaced, or added to (`isAdded`): the first part of an
 * hour replaces what one that came before has left.
 */
async function sumPart(
  db: Kysely<Tables>,
  write: Write,
  { begin, end, isAdded }: Part & { readonly isAdded: boolean },
): Promise<void> {
  const spans = (await spansOf(db)).filter(span => span <= HOUR_SECONDS)
  const before = await progressOf(db, SUMMED)
  const sums = new Map<Dimension, readonly SummedRow[]>()
  for (const by of DIMENSIONS) sums.set(by, await sumsOf(db, { by, seconds: HOUR_SECONDS, spans, begin, end }))
  const day = floor(begin, DAY_MS)
  await write(async change => {
    await countChange(change)
    // Another server has added them up.
    if ((await progressOf(change, SUMMED)) !== before) return
    for (const [by, rows] of sums) {
      await writeTotals(change, { by, seconds: HOUR_SECONDS }, rows, isAdded)
      if (end === day + DAY_MS)
        await writeTotals(change, { by, seconds: DAY_SECONDS }, await sumsOfDay(change, by, day))
    }
    await setProgress(change, SUMMED, end)
  })
  await pauseForMessages()
}

/** Adds hours that were added up, each where its `width` begins. */
async function addHours(
  db: Kysely<Tables>,
  by: Dimension,
  { begin, end }: Part,
  width: number,
  sums: ReturnType<typeof createSums>,
): Promise<void> {
  for (let at = begin; at < end; at += HOUR_MS) {
    const hour = { by, seconds: HOUR_SECONDS, begin: at, end: Math.min(end, at + HOUR_MS) }
    for (const { name, ppd } of await readTotals(db, hour))
      sums.add([{ at: floor(at, width), name, amount: ppd * HOUR_SECONDS, longest: HOUR_SECONDS }])
    await pauseForMessages()
  }
}

/** From its hours, where these are kept. What came too late for them is in neither. */
async function sumsOfDay(db: Kysely<Tables>, by: Dimension, day: number): Promise<readonly SummedRow[]> {
  const hasHours = day >= (await progressOf(db, HOURS))
  const spans = (await spansOf(db)).filter(span => !hasHours || span > HOUR_SECONDS)
  const sums = createSums()
  const time = { begin: day, end: day + DAY_MS }
  sums.add(await sumsOf(db, { by, seconds: DAY_SECONDS, spans, ...time }))
  if (hasHours) await addHours(db, by, time, DAY_MS, sums)
  return sums.rows()
}

const SPANS = sql`span BETWEEN 1 AND ${sql.lit(DAY_SECONDS)}`
const TIMES = sql`at BETWEEN 0 AND ${sql.lit(LAST_TIME)}`
const IS_SAMPLE = sql`COALESCE(${isSound(NAMES.machine)} AND ${isText('group_name')} AND ${isText('resource')}
  AND ${SPANS} AND ${TIMES}, false)`
const IS_SUM = sql`COALESCE(${isSound(sql`name`)} AND ${SPANS} AND ${TIMES}, false)`

/** Samples and sums at impossible times and of impossible spans, which would never be rolled up. All are ranges of the primary key. */
async function setImpossibleAside(change: Kysely<Tables>): Promise<void> {
  const spans = (await spansOf(change)).map(span => sql.lit(span))
  const dimensions = sql.join(DIMENSIONS.map(by => sql.lit(by)))
  for (const [table, key] of [
    ['samples', sql`span IN (${sql.join(spans.length === 0 ? [sql.lit(0)] : spans)})`],
    ['totals', sql`span IN (${sql.lit(HOUR_SECONDS)}, ${sql.lit(DAY_SECONDS)}) AND dimension IN (${dimensions})`],
  ] as const)
    for (const isImpossible of [
      sql`span < 1`,
      sql`span > ${sql.lit(DAY_SECONDS)}`,
      sql`${key} AND at < 0`,
      sql`${key} AND at > ${sql.lit(LAST_TIME)}`,
    ])
      await setAside(change, table, isImpossible)
}

/** Hours that days replace. */
async function removeHours(db: Kysely<Tables>, write: Write, by: Dimension, before: number): Promise<void> {
  const ofHours = db.selectFrom('totals').select('at').where('span', '=', HOUR_SECONDS).where('dimension', '=', by)
  const ofTime = ofHours.where('at', '>=', 0).where('at', '<', before).orderBy('at').limit(1)
  for (;;) {
    const first = await ofTime.executeTakeFirst()
    if (first === undefined) return
    const isPart = sql<SqlBool>`span = ${sql.lit(HOUR_SECONDS)} AND dimension = ${by}
      AND at >= ${sql.lit(first.at)} AND at <= ${sql.lit(first.at + HOUR_MS - 1)} AND at < ${sql.lit(before)}`
    await write(async change => {
      await countChange(change)
      await setAside(change, 'totals', sql`${isPart} AND NOT ${IS_SUM}`)
      await change.deleteFrom('totals').where(isPart).execute()
    })
    await pauseForMessages()
  }
}

/**
 * Means over whole hours or days, to which each part is added. Bad samples are set aside. Resolves with how many parts of `most` were not
 * needed.
 */
async function rollUpTo(
  db: Kysely<Tables>,
  write: Write,
  seconds: number,
  before: number,
  most: number,
): Promise<number> {
  const width = seconds * 1000
  let left = most
  for (const span of (await spansOf(db)).filter(each => each < seconds))
    for await (const { begin, end } of partsOfTime(db, { span }, { begin: 0, end: floor(before, width) })) {
      if (left === 0) return 0
      left--
      const isPart = sql`span = ${sql.lit(span)} AND at >= ${sql.lit(begin)} AND at < ${sql.lit(end)}`
      await write(async change => {
        const pause = createPauses()
        await countChange(change)
        await setAside(change, 'samples', sql`${isPart} AND NOT ${IS_SAMPLE}`)
        await sql`
          INSERT INTO samples (at, span, machine, group_name, project, resource, ppd)
          SELECT ${beginOf(width)}, ${sql.lit(seconds)}, machine, group_name, project, resource, sum(ppd * span) / ${sql.lit(seconds)}
          FROM samples WHERE ${isPart}
          GROUP BY 1, machine, group_name, project, resource
          ON CONFLICT (span, at, machine, group_name, project, resource)
          DO UPDATE SET ppd = samples.ppd + excluded.ppd`.execute(change)
        await pause()
        await sql`DELETE FROM samples WHERE ${isPart}`.execute(change)
        await pause()
      })
      await delay(PART_APART_MS)
    }
  return left
}

/** What of samples is one row. */
export const SAMPLE_KEY: readonly (keyof SampleTable)[] = ['span', 'at', 'machine', 'group_name', 'project', 'resource']
