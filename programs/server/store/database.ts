import { Kysely, Migrator, sql, type Dialect } from 'kysely'
import { createTurns } from '../../../src/folding/shared/turns.ts'
import { StartError } from '../../host/start-error.ts'
import { migrations, migrationsFor } from './migrations.ts'
import { setUnsoundAside } from './sound-rows.ts'
import type { DatabaseKind } from './columns.ts'
import { onRowsSetAside, type OnSetAside } from './rows.ts'
import type { Tables } from './schema.ts'
import type { Write } from './write.ts'

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

/** Which migrations a database has, and which it lacks. Throws a StartError for one of a newer version. */
export async function migrationsOf(
  db: Kysely<Tables>,
  name: string,
): Promise<{ readonly applied: readonly string[]; readonly missing: readonly string[] }> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const applied = tables.some(table => table.name === 'kysely_migration')
    ? (await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)).rows.map(row => row.name)
    : []
  const newer = applied.find(each => !Object.hasOwn(migrations, each))
  if (newer === undefined) return { applied, missing: Object.keys(migrations).filter(each => !applied.includes(each)) }
  throw new StartError(
    `The database ${name} was written by a newer version of Foldboard (${newer}). Start that version, or restore an older backup.`,
  )
}

/**
 * Brings the database to the newest version, in one transaction, and sets aside rows that cannot be read. `keepCopy`: makes a
 * copy before anything is changed. Throws a StartError. Only one server at a time does it.
 */
export async function migrate(
  db: Kysely<Tables>,
  kind: DatabaseKind,
  name: string,
  keepCopy: (missing: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Promise<void> {
  let copy: string | undefined
  try {
    const { applied, missing } = await migrationsOf(db, name)
    const [first] = missing
    if (applied.length > 0 && first !== undefined) copy = await keepCopy(first)
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsFor(kind)) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error as Error
    await setUnsoundAside(db)
  } catch (error) {
    await db.destroy()
    if (error instanceof StartError) throw error
    throw new StartError(
      `The database ${name} could not be migrated: ${error instanceof Error ? error.message : 'unknown reason'}` +
        (copy === undefined ? '' : ` ${copy} is a copy of it as it was before.`),
    )
  }
}

/** `mayWrite`: rejects a write whose lease is over, in its transaction. */
export function databaseOf(
  kind: DatabaseKind,
  dialect: Dialect,
  mayWrite: (change: Kysely<Tables>) => Promise<void> = () => Promise.resolve(),
): Database {
  const db = new Kysely<Tables>({ dialect })
  const inTurn = createTurns()
  let isClosed = false
  /** What was reported before somebody listened. */
  const early: Parameters<OnSetAside>[] = []
  let listener: OnSetAside = (...args) => void early.push(args)
  const notify: OnSetAside = (...args) => listener(...args)
  onRowsSetAside(db, notify)
  let failure: unknown
  return {
    kind,
    db,
    write: work => {
      // The driver of SQLite ends the process when a closed database is used.
      if (isClosed) return Promise.reject(new Error('The database is closed.'))
      const done = inTurn(() =>
        db.transaction().execute(async change => {
          await mayWrite(change)
          onRowsSetAside(change, notify)
          return work(change)
        }),
      )
      done.then(
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
      for (const args of early.splice(0)) next(...args)
    },
    check: async () => {
      await sql`SELECT 1`.execute(db)
      if (failure !== undefined) throw new Error('The last write failed.', { cause: failure })
    },
    close: async () => {
      isClosed = true
      await inTurn(() => undefined)
      // After everything that was asked for before: a statement that runs would keep the database open.
      await db.connection().execute(() => Promise.resolve())
      await db.destroy()
    },
  }
}
