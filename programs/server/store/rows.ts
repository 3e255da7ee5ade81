import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Rows of one statement: SQLite limits its parameters. */
const PART = 200

export function partsOf<Row>(rows: readonly Row[], most = PART): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / most) }, (_, at) => rows.slice(at * most, (at + 1) * most))
}

/** Told of rows that the database refuses for what is in them, or that cannot be read. */
export type OnSetAside = (table: string, error: unknown, rows?: number) => void

const listeners = new WeakMap<object, OnSetAside>()

/** Has `listener` told of the rows that are set aside in a transaction. */
export function onRowsSetAside(change: object, listener: OnSetAside): void {
  listeners.set(change, listener)
}

/** A row of the database cannot be read, or one cannot be written. */
export function reportRowSetAside(db: object, table: string, error: unknown, rows = 1): void {
  return listeners.get(db)?.(table, error, rows)
}

/**
 * Writes rows within a transaction. One that the database refuses for what is in it is set aside, and the others are written.
 * Resolves with the results of those.
 */
export async function writeRows<Row, Written>(
  change: Kysely<Tables>,
  table: string,
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<readonly Written[]>,
): Promise<readonly Written[]> {
  if (rows.length === 0) return []
  await sql`SAVEPOINT part`.execute(change)
  try {
    const written = await write(rows)
    await sql`RELEASE SAVEPOINT part`.execute(change)
    return written
  } catch (error) {
    if (!isOfRow(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT part`.execute(change)
    await sql`RELEASE SAVEPOINT part`.execute(change)
    if (rows.length === 1) {
      reportRowSetAside(change, table, error)
      return []
    }
    const half = Math.ceil(rows.length / 2)
    const first = await writeRows(change, table, rows.slice(0, half), write)
    return [...first, ...(await writeRows(change, table, rows.slice(half), write))]
  }
}

/** Codes of SQLite, and classes of PostgreSQL, for what is wrong with a row; not for a database that is full or away. */
const OF_ROW = /^(?:SQLITE_(?:CONSTRAINT(?!_TRIGGER)|TOOBIG|MISMATCH)\w*|(?:21|22|23|54)[\dA-Z]{3})$/

function isOfRow(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && OF_ROW.test(code)
}

/** A row replaces the one with the same key; of several in `rows`, the last one stays. */
export async function replaceRows<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  rows: readonly Tables[Table][],
): Promise<void> {
  const newest = newestRows(key, rows)
  if (newest.length > 0) await insertOrReplace(db, table, key, newest)
}

/** As `replaceRows`, for what clients report: a row that is refused is set aside. Resolves with what was written. */
export function replaceReports<Table extends keyof Tables>(
  change: Kysely<Tables>,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  rows: readonly Tables[Table][],
): Promise<readonly Tables[Table][]> {
  return writeRows(change, table, newestRows(key, rows), async part => {
    await insertOrReplace(change, table, key, part)
    return part
  })
}

function newestRows<Row>(key: readonly (keyof Row)[], rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map(row => [JSON.stringify(key.map(column => row[column])), row])).values()]
}

async function insertOrReplace<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  rows: readonly Tables[Table][],
): Promise<void> {
  const others = Object.keys(rows[0] ?? {}).filter(column => !(key as readonly string[]).includes(column))
  // The table is a parameter here, so its columns are not known to Kysely.
  const untyped = db as unknown as Kysely<{ table: Record<string, unknown> }>
  await untyped
    .insertInto(table as 'table')
    .values([...rows])
    .onConflict(conflict =>
      conflict
        .columns([...key])
        .doUpdateSet(eb => Object.fromEntries(others.map(column => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
}
