/*
 * Rows that this program never writes: a restored backup, or a hand, may have made them. They are set aside at the start,
 * so that whatever is read later can be believed.
 */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import { parseIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import { memoryOf } from './incident-store.ts'
import { partsOf, reportRowSetAside } from './rows.ts'
import { isScheduleReadable, isStateReadable } from './schedule-store.ts'
import { CHECKED_COLUMNS, type ColumnKind, type Tables } from './schema.ts'
import { isSharedReadable } from './shared-store.ts'

/** SQLite keeps a value of any type in any column: a number is less than each text, a blob more. */
function isSound(column: string, kind: ColumnKind): RawBuilder<SqlBool> {
  const value = sql.ref(column)
  if (kind === 'text') return sql`CAST(${value} AS text) = ${value}`
  if (kind === 'text?') return sql`(${value} IS NULL OR CAST(${value} AS text) = ${value})`
  const [least, most, mayBeNull] = kind
  const within = sql`${value} BETWEEN ${sql.lit(least)} AND ${sql.lit(most)}`
  return mayBeNull === undefined ? sql`${within}` : sql`(${value} IS NULL OR ${within})`
}

/**
 * Moves rows that cannot be read to the table `set_aside`, and reports them once. Samples and their sums are too many: bad ones are left out
 * where they are read, and set aside later (points-store.ts).
 */
export async function setUnsoundAside(db: Kysely<Tables>): Promise<void> {
  for (const [table, columns] of Object.entries<Readonly<Record<string, ColumnKind>>>(CHECKED_COLUMNS)) {
    const isBad = sql`NOT COALESCE(${sql.join(
      Object.entries(columns).map(([column, kind]) => isSound(column, kind)),
      sql` AND `,
    )}, false)`
    const from = sql.table(table)
    const { rows } = await sql`SELECT 1 FROM ${from} WHERE ${isBad} LIMIT 1`.execute(db)
    if (rows.length === 0) continue
    await db.transaction().execute(change => setAside(change, table as keyof Tables, isBad, db))
  }
  await setUnreadableAside(db, 'schedules', 'id', isScheduleReadable)
  await setUnreadableAside(db, 'schedule_states', 'key', isStateReadable)
  await setUnreadableAside(db, 'shared', 'name', isSharedReadable)
  await setUnreadableAside(db, 'memories', 'machine', ({ value }) => memoryOf(value) !== undefined)
  const isIncident = ({ value }: { value: string }) => parseIncident(parsedJson(value)) !== undefined
  await setUnreadableAside(db, 'incidents', 'id', isIncident)
  await setUnreadableAside(db, 'alerts', 'key', isIncident)
}

const READ_AT_ONCE = 200

/** Moves rows whose JSON cannot be read. `key`: the column that tells them apart. */
async function setUnreadableAside<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  key: keyof Tables[Table] & string,
  isReadable: (row: Tables[Table]) => boolean,
): Promise<void> {
  const column = sql.ref(key)
  for (let after: RawBuilder<unknown> = sql``; ;) {
    const { rows } = await sql<Tables[Table]>`
      SELECT * FROM ${sql.table(table)} ${after} ORDER BY ${column} LIMIT ${sql.lit(READ_AT_ONCE)}`.execute(db)
    const bad = rows.filter(row => !isReadable(row)).map(row => row[key])
    if (bad.length > 0)
      await db.transaction().execute(change => setAside(change, table, sql`${column} IN (${sql.join(bad)})`, db))
    const last = rows.at(-1)
    if (last === undefined) return
    after = sql`WHERE ${column} > ${last[key]}`
  }
}

/** Moves rows to the table `set_aside` within a transaction, and reports them once. `owner`: whose `onRowsSetAside` hears of it. */
export async function setAside(
  change: Kysely<Tables>,
  table: keyof Tables,
  isBad: RawBuilder<unknown>,
  owner: object = change,
): Promise<void> {
  const from = sql.table(table)
  const { rows } = await sql`SELECT * FROM ${from} WHERE ${isBad}`.execute(change)
  if (rows.length === 0) return
  const contents = rows.map(row => ({ from_table: table, content: JSON.stringify(row) }))
  for (const part of partsOf(contents)) await change.insertInto('set_aside').values(part).execute()
  await sql`DELETE FROM ${from} WHERE ${isBad}`.execute(change)
  const [{ content } = { content: '' }] = contents
  reportRowSetAside(owner, table, new Error(`What is stored cannot be read: ${content.slice(0, 300)}`), rows.length)
}
