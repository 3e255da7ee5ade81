import initialize, { type Database, type SqlValue, type Statement } from 'sql.js'
import wasm from 'sql.js/dist/sql-wasm-browser.wasm?url'

/** It is in memory, where nothing is lost halfway and nobody else opens it. */
const IN_MEMORY =
  'PRAGMA foreign_keys = ON; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE'

/** The database that `loadDatabase` made, and what uses it. */
let loaded: Database | undefined
let current: { readonly changedBytes: () => Uint8Array | undefined } | undefined

/** Loads SQLite, whose next database begins with these bytes. */
export async function loadDatabase(bytes: Uint8Array | undefined): Promise<void> {
  const { Database } = await initialize({ locateFile: () => wasm })
  loaded = new Database(bytes)
  loaded.run(IN_MEMORY)
}

function takeLoaded(): Database {
  const database = loaded
  loaded = undefined
  if (database === undefined) throw new Error('The demo has one database, which is loaded first.')
  return database
}

/** The bytes of the open database, when it was written to since it was asked last and no transaction is under way. */
export function changedBytes(): Uint8Array | undefined {
  return current?.changedBytes()
}

function rowsOf(statement: Statement): unknown[] {
  const rows: unknown[] = []
  while (statement.step()) rows.push(statement.getAsObject())
  return rows
}

/** The package `libsql`, as far as programs/host/libsql.ts uses it: SQLite in the page, in memory. */
class OpenDatabase {
  #database = takeLoaded()
  #isChanged = false
  inTransaction = false

  constructor() {
    current = { changedBytes: () => this.#changedBytes() }
  }

  exec(sql: string): void {
    // A database in memory has no journal on a disk.
    this.#database.run(sql.replace(/PRAGMA (?:journal_mode|synchronous|wal_checkpoint)[^;]*;?/gi, ''))
  }

  prepare(sql: string) {
    const using =
      <Result>(use: (statement: Statement) => Result) =>
      (parameters: readonly SqlValue[]): Result => {
        const statement = this.#database.prepare(sql)
        try {
          statement.bind([...parameters])
          return use(statement)
        } finally {
          statement.free()
        }
      }
    return {
      reader: /^\s*(?:select|with|pragma)|\breturning\b/i.test(sql),
      all: using(rowsOf),
      iterate: (parameters: readonly SqlValue[]) => using(rowsOf)(parameters).values(),
      run: using(statement => {
        statement.step()
        this.#isChanged = true
        if (/^\s*(?:begin|commit|rollback)/i.test(sql)) this.inTransaction = /^\s*begin/i.test(sql)
        return { changes: this.#database.getRowsModified(), lastInsertRowid: 0 }
      }),
    }
  }

  #changedBytes(): Uint8Array | undefined {
    if (!this.#isChanged || this.inTransaction) return undefined
    this.#isChanged = false
    const bytes = this.#database.export()
    // It closes the database and opens it again, without what was set.
    this.#database.run(IN_MEMORY)
    return bytes
  }

  close(): void {
    this.#database.close()
  }
}

export { OpenDatabase as default }
