import Libsql from 'libsql'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

/** What Kysely's SQLite dialect asks of a driver, spoken by libsql. */
export const libsqlDriver = (path: string): SqliteDatabase => {
  const database = new Libsql(path)
  // A write is then one append; a crash of the machine may lose the last moment but never breaks the file.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
  return {
    close: () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
    prepare: sql => {
      // A disk that is full, and some other failures, end the transaction by themselves. Rolling it back then would fail
      // too, and hide why.
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
