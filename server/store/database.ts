import { Kysely, Migrator, sql, type Dialect } from 'kysely'
import { StartError } from '../../host/start-error.ts'
import { migrationsFor } from './migrations.ts'
import type { DatabaseKind } from './columns.ts'
import { onRowsSetAside, type OnSetAside } from './rows.ts'
import type { Tables } from './schema.ts'

/** Runs `work` in one transaction. Writes of one process come one after another. */
export type Write = <Result>(work: (change: Kysely<Tables>) => Promise<Result>) => Promise<Result>

/** A database that stores are made of. */
export type Database = {
  readonly kind: DatabaseKind
  readonly db: Kysely<Tables>
  /** A write of what this server holds. Rejects with `LeaseLost` when others may hold it by now. */
  readonly write: Write
  /** Has `listener` told of rows that the database refuses for what is in them. */
  readonly onSetAside: (listener: OnSetAside) => void
  /** Rejects when the database does not answer, or when the last write failed. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Another server may have taken over what this one held: it must not write any more. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this server is over: it may not write any more.')
  }
}

/** Brings the database to the newest version. Throws a StartError. Only one server at a time does it. */
export async function migrate(db: Kysely<Tables>, kind: DatabaseKind, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsFor(kind)) } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  await db.destroy()
  throw new StartError(
    `The database ${name} could not be migrated: ${error instanceof Error ? error.message : 'unknown reason'}`,
  )
}

/** `mayWrite`: rejects a write whose lease is over, in its transaction. */
export function databaseOf(
  kind: DatabaseKind,
  dialect: Dialect,
  mayWrite: (change: Kysely<Tables>) => Promise<void> = () => Promise.resolve(),
): Database {
  const db = new Kysely<Tables>({ dialect })
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let listener: OnSetAside = () => undefined
  const tell: OnSetAside = (table, error) => listener(table, error)
  onRowsSetAside(db, tell)
  let failure: unknown
  return {
    kind,
    db,
    write: work => {
      // The driver of SQLite ends the process when a closed database is used.
      if (isClosed) return Promise.reject(new Error('The database is closed.'))
      const done = last.then(() =>
        db.transaction().execute(async change => {
          await mayWrite(change)
          onRowsSetAside(change, tell)
          return work(change)
        }),
      )
      last = done.then(
        () => (failure = undefined),
        (error: unknown) => {
          // A lease that is over says nothing of the database.
          if (!(error instanceof LeaseLost)) failure = error
        },
      )
      return done
    },
    onSetAside: next => {
      listener = next
    },
    check: async () => {
      await sql`SELECT 1`.execute(db)
      if (failure !== undefined) throw new Error('The last write failed.', { cause: failure })
    },
    close: async () => {
      isClosed = true
      await last
      // After everything that was asked for before: a statement that runs would keep the database open.
      await db.connection().execute(() => Promise.resolve())
      await db.destroy()
    },
  }
}
