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

/** The driver for Kysely's SQLite dialect, implemented by libsql. */
export function libsqlDriver(path: string): SqliteDatabase {
  const database = new Libsql(path)
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
