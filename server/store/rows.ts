import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Lets messages of machines and pages be handled: SQLite works on the thread of the server. */
export const pauseForMessages = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/** Rows of one statement: SQLite limits its parameters. */
const PART = 200

export const partsOf = <Row>(rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) => rows.slice(at * PART, (at + 1) * PART))

/** A row replaces the one with the same key; of several in `rows`, the last one stays. */
export const replaceRows = async <Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  key: readonly (keyof Tables[Table] & string)[],
  rows: readonly Tables[Table][],
): Promise<void> => {
  const [first] = rows
  if (first === undefined) return
  const others = Object.keys(first).filter(column => !(key as readonly string[]).includes(column))
  // The table is a parameter here, so its columns are not known to Kysely.
  const untyped = db as unknown as Kysely<{ table: Record<string, unknown> }>
  const newest = new Map(rows.map(row => [JSON.stringify(key.map(column => row[column])), row]))
  await untyped
    .insertInto(table as 'table')
    .values([...newest.values()])
    .onConflict(conflict =>
      conflict
        .columns([...key])
        .doUpdateSet(eb => Object.fromEntries(others.map(column => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
}
