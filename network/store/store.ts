import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, Migrator, SqliteDialect } from 'kysely'
import { libsqlDriver } from './libsql.ts'
import { migrations } from './migrations/index.ts'
import type { Tables } from './schema.ts'

export type Store = Kysely<Tables>

/** Opens (and makes, and migrates) the database in `folder`; `undefined` keeps it in memory only. */
export const openStore = async (folder: string | undefined): Promise<Store> => {
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  const path = folder === undefined ? ':memory:' : join(folder, 'foldboard.db')
  const store = new Kysely<Tables>({ dialect: new SqliteDialect({ database: libsqlDriver(path) }) })
  const migrator = new Migrator({ db: store, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await store.destroy()
    throw new Error(`The database ${path} cannot be brought up to date: ${error instanceof Error ? error.message : 'unknown reason'}`, { cause: error })
  }
  return store
}
