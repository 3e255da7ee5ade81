import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import AsynchronousLibsql from 'libsql/promise'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'

/** There a process has one connection to a database that no other may use. */
const IS_WINDOWS = process.platform === 'win32'

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Kysely does not migrate SQLite in a transaction by itself: a process killed meanwhile would leave half of a migration. */
export class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/**
 * A database that no other process can use, not even to read it, until this one ends or closes it. The lock is the operating
 * system's, on the file itself, whatever its names. Throws when another process uses the file (`isInUse`).
 */
export function openAlone(path: string): Libsql.Database {
  // SQLite's other way is a mode of one connection, which would keep this process from copying the database beside its work.
  const database = new Libsql(IS_WINDOWS ? path : `${pathToFileURL(path).href}?vfs=unix-excl`)
  if (IS_WINDOWS) database.exec('PRAGMA locking_mode = EXCLUSIVE')
  return database
}

/** Whether an error says that another process uses a database. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_BUSY/.test(String(Reflect.get(error, 'code')))
}

/** The bytes of its log from which on a database takes over what is in it, as is SQLite's default. */
const MOST_LOG_BYTES = 4_194_304

/**
 * Has a database take over what is in its log, on another thread: that waits for the disk, and so would the server. What is returned
 * is called after a transaction.
 */
function createCheckpoints(database: Libsql.Database, path: string): () => void {
  // A log that is begun again has the size of what is in it.
  database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0')
  let isRunning = false
  const run = async (): Promise<void> => {
    const other = new AsynchronousLibsql(path, {})
    try {
      await other.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } finally {
      other.close()
    }
  }
  return () => {
    if (isRunning || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < MOST_LOG_BYTES) return
    isRunning = true
    // It is tried again after the next transaction.
    void run()
      .catch(() => undefined)
      .finally(() => (isRunning = false))
  }
}

/** The driver for Kysely's SQLite dialect, implemented by libsql. */
export function libsqlDriver(path: string, open: (path: string) => Libsql.Database = openShared): SqliteDatabase {
  const database = open(path)
  // With WAL, a write is one append; a system crash may lose the last writes but does not corrupt the file.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
  const written = path === ':memory:' || IS_WINDOWS ? () => undefined : createCheckpoints(database, path)
  return {
    close: () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
    prepare: sql => {
      // A full disk, and some other errors, end the transaction. A rollback would then fail too and hide the first
      // error.
      if (sql === 'rollback' && !database.inTransaction) return NOTHING_TO_DO
      const statement = database.prepare(sql)
      return {
        reader: statement.reader,
        all: parameters => statement.all([...parameters]),
        run: parameters => {
          const result = statement.run([...parameters])
          if (sql === 'commit') written()
          return result
        },
        iterate: parameters => statement.iterate([...parameters]),
      }
    },
  }
}

function openShared(path: string): Libsql.Database {
  return new Libsql(path)
}
