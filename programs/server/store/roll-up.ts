import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Write } from './write.ts'
import { createPauses, pauseForMessages } from '../event-loop.ts'
import {
  beginOf,
  countChange,
  DAY_MS,
  DAY_SECONDS,
  DIMENSIONS,
  floor,
  HOUR_MS,
  HOUR_SECONDS,
  HOURS,
  isSound,
  isText,
  LAST_TIME,
  NAMES,
  partsOfTime,
  progressOf,
  setProgress,
  spansOf,
  SUMMED,
} from './samples.ts'
import type { Tables } from './schema.ts'
import { setAside } from './sound-rows.ts'

/** After so many rows, so long: the log of the database is moved to it meanwhile (libsql.ts), and does not grow. */
const [MANY_ROWS, MANY_ROWS_MS] = [1000, 250]
/** Parts of one roll-up, during which samples and units wait. */
const MOST_PARTS = 100

/** As `rollUp` of `PointsStore`. */
export async function rollUp(
  db: Kysely<Tables>,
  write: Write,
  { hoursBefore, daysBefore }: { readonly hoursBefore: number; readonly daysBefore: number },
  most = MOST_PARTS,
): Promise<boolean> {
  await write(setImpossibleAside)
  let left = await rollUpTo(db, write, HOUR_SECONDS, hoursBefore, most)
  left = await rollUpTo(db, write, DAY_SECONDS, daysBefore, left)
  const keptFrom = floor(Math.min(daysBefore, await progressOf(db, SUMMED)), DAY_MS)
  if (keptFrom > (await progressOf(db, HOURS)))
    await write(async change => {
      await countChange(change)
      await setProgress(change, HOURS, keptFrom)
    })
  return (await removeHours(db, write, keptFrom, left)) > 0
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

async function pauseAfter(rows: bigint): Promise<void> {
  await (rows < MANY_ROWS ? pauseForMessages() : delay(MANY_ROWS_MS))
}

/** Removes hours that days replace, which nobody reads any more. Resolves as `rollUpTo`. */
async function removeHours(db: Kysely<Tables>, write: Write, before: number, most: number): Promise<number> {
  const ofHours = db.selectFrom('totals').select('at').where('span', '=', HOUR_SECONDS)
  const dimensions = sql.join(DIMENSIONS.map(by => sql.lit(by)))
  for (let left = most; left > 0; left--) {
    const times: number[] = []
    for (const by of DIMENSIONS) {
      const ofDimension = ofHours.where('dimension', '=', by).where('at', '>=', 0).where('at', '<', before)
      times.push((await ofDimension.orderBy('at').limit(1).executeTakeFirst())?.at ?? Infinity)
    }
    const first = Math.min(...times)
    if (first === Infinity) return left
    const isPart = sql<SqlBool>`span = ${sql.lit(HOUR_SECONDS)} AND dimension IN (${dimensions})
      AND at >= ${sql.lit(first)} AND at <= ${sql.lit(first + HOUR_MS - 1)} AND at < ${sql.lit(before)}`
    const removed = await write(async change => {
      await setAside(change, 'totals', sql`${isPart} AND NOT ${IS_SUM}`)
      return (await change.deleteFrom('totals').where(isPart).executeTakeFirst()).numDeletedRows
    })
    await pauseAfter(removed)
  }
  return 0
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
      const moved = await write(async change => {
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
        const { numAffectedRows = 0n } = await sql`DELETE FROM samples WHERE ${isPart}`.execute(change)
        await pause()
        return numAffectedRows
      })
      await pauseAfter(moved)
    }
  return left
}
