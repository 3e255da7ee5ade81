import { join } from 'node:path'
import { Kysely, Migrator, type SqliteDatabase } from 'kysely'
import { StartError } from '../../host/start-error.ts'
import { makeFolder } from '../../host/folder.ts'
import { isInUse, libsqlDriver, openAlone, TransactionalDialect } from '../../host/libsql.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './schema.ts'

export type Store = Kysely<Tables>

/** The database cannot be opened. */
export class StoreUnusable extends StartError {}

function openFile(folder: string | undefined, path: string): SqliteDatabase {
  if (folder === undefined) return libsqlDriver(path)
  try {
    makeFolder(folder)
    return libsqlDriver(path, openAlone)
  } catch (error) {
    if (isInUse(error))
      throw new StoreUnusable(
        `The database ${path} is already taken. Stop the other program or choose another folder with --data and other ports with --port.`,
        { cause: error },
      )
    const why = error instanceof Error ? error.message : 'unknown reason'
    throw new StoreUnusable(`The database ${path} cannot be opened: ${why}. Choose another folder with --data.`, {
      cause: error,
    })
  }
}

/** Opens, creates and migrates the database in `folder`; `undefined`: in memory only. */
export async function openStore(folder: string | undefined): Promise<Store> {
  const path = folder === undefined ? ':memory:' : join(folder, 'foldboard.db')
  const store = new Kysely<Tables>({ dialect: new TransactionalDialect({ database: openFile(folder, path) }) })
  const migrator = new Migrator({ db: store, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await store.destroy()
    throw new Error(
      `The database ${path} could not be migrated: ${error instanceof Error ? error.message : 'unknown reason'}`,
      { cause: error },
    )
  }
  return store
}
