import { sql, type Kysely } from 'kysely'
import type { Write } from './write.ts'
import { rollUp } from './roll-up.ts'
import { createPauses, pauseForMessages } from '../event-loop.ts'
import { partsOf } from './rows.ts'
import {
  beginOf,
  CHANGES,
  countChange,
  DAY_MS,
  DAY_SECONDS,
  DIMENSIONS,
  floor,
  HOUR_MS,
  HOUR_SECONDS,
  HOURS,
  isSound,
  LAST_TIME,
  NAMES,
  partsOfTime,
  progressOf,
  setProgress,
  spansOf,
  SUMMED,
  type Dimension,
  type Part,
  type Source,
} from './samples.ts'
import type { Tables } from './schema.ts'

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
   * whether it came to the end before `most` parts, which take some seconds: otherwise it goes on with the next call.
   */
  readonly rollUp: (hoursBefore: number, daysBefore: number, most?: number) => Promise<boolean>
}

const MOST_POINTS = 50_000
const MINUTE_MS = 60_000
/** The hour that has begun is added up in steps of this. */
const PART_MS = 5 * MINUTE_MS
/** How long after its time a sample may be written, also by another server, beside the time between two samples. */
const SETTLED_MS = MINUTE_MS
/** What is written later, such as after a change of the clock, is added up with the next hour for so long. */
const LATE_MS = 2 * HOUR_MS

export function pointsStoreOf(db: Kysely<Tables>, write: Write): PointsStore {
  return {
    points: async filter => {
      for (;;) {
        const before = await progressOf(db, CHANGES)
        const rows = await readPoints(db, filter)
        // Meanwhile samples were added up or moved, or hours were removed: they may have been counted twice, or missed.
        if (before === (await progressOf(db, CHANGES))) return rows
      }
    },

    sumUp: async (now, sampleSeconds = 60) => {
      const until = floor(now - SETTLED_MS - sampleSeconds * 1000, PART_MS)
      const last = await progressOf(db, SUMMED)
      if (last === until) return
      const hour = floor(until, HOUR_MS)
      if (until > hour && last >= hour && last < until) {
        await sumPart(db, write, { last, begin: last, end: until, isAdded: last > hour })
        return
      }
      const first = last === 0 ? await beginOfHistory(db) : floor(Math.min(last, until), HOUR_MS) - LATE_MS
      if (first === undefined) return
      if (last === 0) await startHours(db, write)
      for (let [begin, reached] = [first, last]; begin < until;) {
        const end = Math.min(until, floor(begin, HOUR_MS) + HOUR_MS)
        if (!(await sumPart(db, write, { last: reached, begin, end, isAdded: false }))) return
        begin = end
        reached = end
      }
    },

    rollUp: (hoursBefore, daysBefore, most) => rollUp(db, write, { hoursBefore, daysBefore }, most),
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

type OfDimension = Part & { readonly by: Dimension; readonly seconds: number }

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
 * hour replaces what one that came before has left. `last`: until when hours are added up. Resolves with false, and does nothing, where
 * another server has added up more.
 */
async function sumPart(
  db: Kysely<Tables>,
  write: Write,
  { last, begin, end, isAdded }: Part & { readonly last: number; readonly isAdded: boolean },
): Promise<boolean> {
  const spans = await spansOf(db)
  const day = floor(begin, DAY_MS)
  const isEnd = end === day + DAY_MS
  const hasHours = day >= (await progressOf(db, HOURS))
  const ofHour = spans.filter(span => span <= HOUR_SECONDS)
  // What came too late for the hours of a day is in neither.
  const ofDay = spans.filter(span => !hasHours || span > HOUR_SECONDS)
  const sums = new Map<Dimension, { readonly hours: readonly SummedRow[]; readonly days: readonly SummedRow[] }>()
  for (const by of DIMENSIONS) {
    const hours = await sumsOf(db, { by, seconds: HOUR_SECONDS, spans: ofHour, begin, end })
    const days = isEnd ? await sumsOf(db, { by, seconds: DAY_SECONDS, spans: ofDay, begin: day, end }) : []
    sums.set(by, { hours, days })
  }
  // A server that takes over waits for the end of it, and the lease of this one is not renewed meanwhile.
  const isWritten = await write(async change => {
    await countChange(change)
    if ((await progressOf(change, SUMMED)) !== last) return false
    for (const [by, { hours, days }] of sums) {
      await writeTotals(change, { by, seconds: HOUR_SECONDS }, hours, isAdded)
      if (isEnd && hasHours) await sumHours(change, by, day)
      await writeTotals(change, { by, seconds: DAY_SECONDS }, days, hasHours)
    }
    await setProgress(change, SUMMED, end)
    return true
  })
  await pauseForMessages()
  return isWritten
}

/** Writes a day from its hours. */
async function sumHours(change: Kysely<Tables>, by: Dimension, day: number): Promise<void> {
  await sql`
    INSERT INTO totals (span, dimension, at, name, ppd)
    SELECT ${sql.lit(DAY_SECONDS)}, ${sql.lit(by)}, ${sql.lit(day)}, name, sum(ppd) * ${sql.lit(HOUR_SECONDS)} / ${sql.lit(DAY_SECONDS)}
    FROM totals
    WHERE span = ${sql.lit(HOUR_SECONDS)} AND dimension = ${sql.lit(by)} AND at >= ${sql.lit(day)} AND at < ${sql.lit(day + DAY_MS)}
      AND ${isSound(sql`name`)}
    GROUP BY name
    ON CONFLICT (span, dimension, at, name) DO UPDATE SET ppd = excluded.ppd`.execute(change)
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
