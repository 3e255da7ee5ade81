import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { StartError } from '../../host/start-error.ts'
import { makeFolder } from '../../host/folder.ts'
import { isInUse, libsqlDriver, openAlone, TransactionalDialect } from '../../host/libsql.ts'
import { databaseOf, migrate } from './database.ts'
import type { Tables } from './schema.ts'
import { storeOf, type ServerStore } from './store.ts'

/* The file of a SQLite database. Loaded on demand: it needs libsql, which an installed package may lack. */

/** The file of the database in its folder. */
export const DATABASE_FILE = 'server.db'

/**
 * Opens, creates and migrates the SQLite database in `folder`; `undefined`: in memory only. `onCopied`: told the file that a
 * database was copied to before it is migrated.
 */
export async function openServerStore(
  folder: string | undefined,
  onCopied: (file: string) => void = () => undefined,
): Promise<ServerStore> {
  const path = folder === undefined ? ':memory:' : join(folder, DATABASE_FILE)
  const database = databaseOf('sqlite', new TransactionalDialect({ database: openFile(folder, path) }))
  await migrate(database.db, 'sqlite', path, async missing => {
    if (folder === undefined) return undefined
    const copy = await copyAside(database.db, folder, path, missing)
    onCopied(copy)
    return copy
  })
  return storeOf(database)
}

/** Copies that are kept of a database as it was before its last migrations. */
export const MOST_COPIES = 3
const COPIES = `${DATABASE_FILE}.before-migration-`

/** Copies a database before it is migrated. A copy that was interrupted is made again. Resolves with the file. */
async function copyAside(db: Kysely<Tables>, folder: string, path: string, missing: string): Promise<string> {
  const { bavail, bsize } = statfsSync(folder)
  const needed = Math.ceil(statSync(path).size * 1.2)
  if (bavail * bsize < needed)
    throw new StartError(
      `The database ${path} has to be migrated, and there is no room for a copy of it: ${needed} bytes are needed in ${folder}.`,
    )
  const copy = join(folder, `${COPIES}${missing}`)
  const part = `${copy}.part`
  rmSync(part, { force: true })
  closeSync(openSync(part, 'wx', PRIVATE_FILE))
  await sql`VACUUM INTO ${part}`.execute(db)
  renameSync(part, copy)
  const copies = readdirSync(folder)
    .filter(name => name.startsWith(COPIES))
    .sort()
  for (const old of copies.slice(0, -MOST_COPIES)) rmSync(join(folder, old))
  return copy
}

/** Only the owner may read what the server keeps. */
export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600
/** What a restore leaves beside the database until it is complete. */
export const INCOMING = '.incoming'

const NEW_FILE = 'new-server.db'

function openFile(folder: string | undefined, path: string) {
  if (folder === undefined) return libsqlDriver(path)
  refuseLost(folder, path)
  try {
    makeFolder(folder, PRIVATE_FOLDER)
    if (!existsSync(path)) createFile(join(folder, NEW_FILE), path)
    // Throws where it may not be written: SQLite would open it for reading.
    closeSync(openSync(path, 'a'))
    return libsqlDriver(path, openAlone)
  } catch (error) {
    if (isInUse(error)) throw new DatabaseInUse(path)
    const why = error instanceof Error ? error.message : 'unknown reason'
    throw new StartError(`The database ${path} cannot be opened: ${why}. Choose another folder with --data.`)
  }
}

export class DatabaseInUse extends StartError {
  constructor(path: string) {
    super(`Another server uses the database ${path}. Stop it, or choose another folder with --data.`)
  }
}

/** A new database has its name once SQLite has written it: an empty one is refused, also where the process was killed. */
function createFile(fresh: string, path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${fresh}${suffix}`, { force: true })
  // SQLite would let others read it. Its other files get the same permissions.
  closeSync(openSync(fresh, 'wx', PRIVATE_FILE))
  libsqlDriver(fresh, openAlone).close()
  renameSync(fresh, path)
}

/** Throws where a database was lost: a new one would take its place, and nobody would notice. */
function refuseLost(folder: string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.size === 0)
    throw new StartError(`The database ${path} is empty. Restore a backup, or delete the file to begin a new one.`)
  // Each name has a write-ahead log of its own: what is in that of another name would be lost.
  if (found !== undefined && found.nlink > 1)
    throw new StartError(`The database ${path} has another name too (a hard link). Remove that name first.`)
  if (found !== undefined) return
  const left = (existsSync(folder) ? readdirSync(folder) : []).filter(name => name.startsWith(DATABASE_FILE))
  if (left.length > 0)
    throw new StartError(
      `The database ${path} is missing, but ${folder} has ${left.join(', ')}, such as a restore that was interrupted leaves. ` +
        'Restore again, or move these files away to begin a new database.',
    )
}
