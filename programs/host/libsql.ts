import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'

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
  const isWindows = process.platform === 'win32'
  // SQLite's other way is a mode of one connection, which would keep this process from copying the database beside its work.
  const database = new Libsql(isWindows ? path : `${pathToFileURL(path).href}?vfs=unix-excl`)
  if (isWindows) database.exec('PRAGMA locking_mode = EXCLUSIVE')
  return database
}

/** Whether an error says that another process uses a database. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_BUSY/.test(String(Reflect.get(error, 'code')))
}

/** The driver for Kysely's SQLite dialect, implemented by libsql. */
export function libsqlDriver(path: string, open: (path: string) => Libsql.Database = openShared): SqliteDatabase {
  const database = open(path)
  // With WAL, a write is one append; a system crash may lose the last writes but does not corrupt the file.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
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
        run: parameters => statement.run([...parameters]),
        iterate: parameters => statement.iterate([...parameters]),
      }
    },
  }
}

function openShared(path: string): Libsql.Database {
  return new Libsql(path)
}
