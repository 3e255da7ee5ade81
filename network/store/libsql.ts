import Libsql from 'libsql'
import type { SqliteDatabase } from 'kysely'

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
