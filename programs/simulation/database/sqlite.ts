import { fileURLToPath } from 'node:url'
import Libsql from 'libsql'
import { ProcessEnded, type Realm } from '../realms/realm.ts'

/** What a statement does is done by SQLite; the edge decides whether it is reached, and what the process sees of it. */
export type DatabaseEdge = {
  /** Throws as the driver does. May end the process, before the statement or after it. */
  readonly around: <Result>(sql: string, parameters: readonly unknown[], run: () => Result) => Result
}

/** The databases of one computer, by their paths, as a disk keeps them. */
export type Databases = Map<string, Libsql.Database>

/** The database of a file that has another name, or none. */
export function moveDatabase(databases: Databases, from: string, to: string | undefined): void {
  const database = databases.get(from)
  databases.delete(from)
  if (database !== undefined && to !== undefined) databases.set(to, database)
}

/** An error as SQLite reports it. */
export function sqliteError(code: string): Error {
  return Object.assign(new Error(`${code} (simulated)`), { code })
}

/** Ends what a process has begun, as the next one finds it: a transaction that is not committed never was. */
function recover(database: Libsql.Database): void {
  if (database.inTransaction) database.exec('ROLLBACK')
}

/** The package `libsql` of a process, whose databases outlive it. `grow`: the file has something in it. */
export function createLibsql(realm: Realm, databases: Databases, edge: DatabaseEdge, grow: (path: string) => void) {
  const useOf = (): void => {
    if (!realm.isAlive()) throw new ProcessEnded()
  }
  return class SimulatedDatabase {
    #database: Libsql.Database
    #isClosed = false
    #path: string

    constructor(name: string) {
      useOf()
      const path = name.startsWith('file:') ? fileURLToPath(name) : name
      this.#path = path
      const existing = databases.get(path)
      this.#database = existing ?? new Libsql(':memory:')
      databases.set(path, this.#database)
      realm.onEnd(() => recover(this.#database))
    }

    get inTransaction(): boolean {
      return this.#database.inTransaction
    }

    /** Pragmas, which a database in memory has no use for. */
    exec(sql: string): void {
      useOf()
      grow(this.#path)
      for (const each of sql.split(';')) if (/foreign_keys/.test(each)) this.#database.exec(each)
    }

    prepare(sql: string) {
      useOf()
      if (this.#isClosed) throw new Error('A closed database was used: the driver would end the process.')
      const statement = this.#database.prepare(sql)
      const at =
        <Result>(run: (parameters: unknown[]) => Result) =>
        (parameters: unknown[]): Result => {
          useOf()
          try {
            return edge.around(sql, parameters, () => run(parameters))
          } catch (error) {
            // A full disk ends the transaction, as SQLite does.
            if (error instanceof Error && Reflect.get(error, 'code') === 'SQLITE_FULL') recover(this.#database)
            throw error
          }
        }
      return {
        reader: statement.reader,
        all: at(parameters => statement.all(parameters)),
        run: at(parameters => statement.run(parameters)),
        iterate: at(parameters => statement.iterate(parameters)),
      }
    }

    close(): void {
      this.#isClosed = true
    }
  }
}
