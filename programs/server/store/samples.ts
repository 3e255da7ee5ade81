/* What adding up, rolling up and reading samples have in common. Times are epoch milliseconds. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import { pauseForMessages } from '../event-loop.ts'
import { replaceRows } from './rows.ts'
import type { SampleTable, Tables } from './schema.ts'

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400

/** What values are split by. */
export const DIMENSIONS = ['machine', 'group', 'project', 'resource', 'total'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** Of dates in JavaScript. */
export const LAST_TIME = 8.64e15
const MOST_PPD = 1e15
export const HOUR_MS = HOUR_SECONDS * 1000
export const DAY_MS = DAY_SECONDS * 1000

/** Until when hours are added up. */
export const SUMMED = 'summed'
/** Since when there are hours, before which there are days only. */
export const HOURS = 'hours'
/** How often samples were added up, or moved to hours and days, or hours were removed. */
export const CHANGES = 'changes'

export const NAMES: Readonly<Record<Dimension, RawBuilder<string>>> = {
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
export function isText(column: string): RawBuilder<SqlBool> {
  return sql`CAST(${sql.ref(column)} AS text) = ${sql.ref(column)}`
}

export function isSound(name: RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`ppd BETWEEN 0 AND ${sql.lit(MOST_PPD)} AND CAST(${name} AS text) = ${name}`
}

export function floor(at: number, width: number): number {
  return Math.floor(at / width) * width
}

/** When a value begins. Written into the statement: a driver binds numbers as reals, or as text. */
export function beginOf(milliseconds: number): RawBuilder<number> {
  const width = sql.lit(milliseconds)
  return sql<number>`(at / ${width}) * ${width}`
}

export async function progressOf(db: Kysely<Tables>, name: string): Promise<number> {
  return (await db.selectFrom('progress').select('at').where('name', '=', name).executeTakeFirst())?.at ?? 0
}

export function setProgress(db: Kysely<Tables>, name: string, at: number): Promise<void> {
  return replaceRows(db, 'progress', ['name'], [{ name, at }])
}

/** First in a transaction: a server that does the same waits until it is over, and then sees what was done. */
export async function countChange(change: Kysely<Tables>): Promise<void> {
  await change
    .insertInto('progress')
    .values({ name: CHANGES, at: 1 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ at: eb('progress.at', '+', 1) })))
    .execute()
}

/** The spans of samples, of which there are few: with them, a range of times is one of the primary key. */
export async function spansOf(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ span: number }>`
    WITH RECURSIVE spans(span) AS (
      SELECT min(span) FROM samples
      UNION ALL
      SELECT (SELECT min(span) FROM samples WHERE samples.span > spans.span) FROM spans WHERE spans.span IS NOT NULL
    )
    SELECT span FROM spans WHERE span IS NOT NULL`.execute(db)
  return rows.flatMap(({ span }) => (Number.isSafeInteger(span) && span > 0 ? [span] : []))
}

export type Part = { readonly begin: number; readonly end: number }
export type Source = { readonly span: number; readonly client?: string | undefined }

/** Samples that one statement reads or changes: SQLite works on the thread of the server. */
const ROWS_AT_ONCE = 10_000

/**
 * Parts of a time with about `ROWS_AT_ONCE` samples each, cut at multiples of `width`: one of these is never cut. Messages are handled
 * between them.
 */
export async function* partsOfTime(
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

/** What of samples is one row. */
export const SAMPLE_KEY: readonly (keyof SampleTable)[] = ['span', 'at', 'machine', 'group_name', 'project', 'resource']
