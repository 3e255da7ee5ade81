import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Kysely, Migrator, sql } from 'kysely'
import Libsql from 'libsql'
import AsynchronousLibsql from 'libsql/promise'
import { StartError } from '../../host/start-error.ts'
import { makeFolder } from '../../host/folder.ts'
import { isInUse, libsqlDriver, openAlone, TransactionalDialect } from '../../host/libsql.ts'
import { migrations, migrationsFor } from './migrations.ts'
import type { Tables } from './schema.ts'
import { DATABASE_FILE, DatabaseInUse, INCOMING, openServerStore, PRIVATE_FILE, PRIVATE_FOLDER } from './sqlite.ts'

/**
 * Writes a copy of the database, which is only read, to a new file that only its owner can read. Rejects with
 * `DatabaseInUse` where another process uses it; one that runs in this process goes on meanwhile.
 */
export async function backUp(folder: string, file: string): Promise<void> {
  const path = join(folder, DATABASE_FILE)
  if (!existsSync(path)) throw new StartError(`There is no database in ${folder}.`)
  const database = new AsynchronousLibsql(path, {})
  try {
    await checkInBackground(database)
    await inNewFile(file, () => database.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`) as Promise<void>)
  } catch (error) {
    if (isInUse(error)) throw new DatabaseInUse(path)
    if (error instanceof StartError) throw error
    throw new StartError(`${path} cannot be copied to ${file}: ${reasonOf(error)}.`)
  } finally {
    database.close()
  }
}

/** Makes a file of its owner's, and removes it if `write` fails. Throws a StartError if it exists. */
export async function inNewFile(file: string, write: () => Promise<void>): Promise<void> {
  makeFolder(dirname(resolve(file)), PRIVATE_FOLDER)
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST')
      throw new StartError(`${file} exists already. Choose another name.`)
    throw error
  }
  try {
    await write()
    syncFile(file)
  } catch (error) {
    rmSync(file)
    throw error
  }
}

/** Throws unless it is a whole database of this server. Only `exec` leaves this thread free. */
async function checkInBackground(database: AsynchronousLibsql): Promise<void> {
  await database.exec(
    `CREATE TEMP TABLE found AS SELECT integrity_check AS said FROM pragma_integrity_check(1, 'main')`,
  )
  const found = (await database.prepare('SELECT said FROM found')) as {
    all: () => Promise<readonly { said: string }[]>
  }
  if ((await found.all())[0]?.said !== 'ok') throw new Error('it is damaged')
  await database.exec('SELECT name FROM kysely_migration')
}

/**
 * Replaces the database by a backup, once that has been checked. The former one is kept beside it. Killed at any moment,
 * it leaves either database, or none and a file `.incoming`, with which no server starts.
 */
export async function restore(folder: string, file: string): Promise<{ readonly former: string | undefined }> {
  makeFolder(folder, PRIVATE_FOLDER)
  const path = join(folder, DATABASE_FILE)
  const release = hold(path)
  let former: string | undefined
  try {
    await checkBackup(file)
    const incoming = `${path}${INCOMING}`
    rmSync(incoming, { force: true })
    await copyFile(file, incoming)
    chmodSync(incoming, PRIVATE_FILE)
    endSessions(incoming)
    syncFile(incoming)
    former = moveAway(path)
    renameSync(incoming, path)
  } finally {
    release()
  }
  const store = await openServerStore(folder)
  await store.close()
  return { former }
}

/**
 * Keeps servers away from a database until it is released, which must be before another one has its name: the end of the
 * write-ahead log is removed by name.
 */
function hold(path: string): () => void {
  if (!existsSync(path)) return () => undefined
  const database = openAlone(path)
  try {
    database.exec('SELECT name FROM sqlite_schema')
  } catch (error) {
    if (isInUse(error)) {
      database.close()
      throw new DatabaseInUse(path)
    }
    // It is damaged: that may be why it is replaced.
  }
  return () => {
    database.close()
  }
}

/**
 * Gives the database another name, and the files that belong to it, also where a restore was killed between the two.
 * Undefined when there is none.
 */
function moveAway(path: string): string | undefined {
  const target = `${path}.before-restore`
  const nth = (number: number): string => (number === 1 ? target : `${target}-${number}`)
  let number = 1
  while (existsSync(nth(number))) number++
  const isThere = existsSync(path)
  const former = isThere ? nth(number) : number === 1 ? undefined : nth(number - 1)
  if (former === undefined) return undefined
  if (isThere) renameSync(path, former)
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${former}${suffix}`)
  return former
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r+')
  fsyncSync(opened)
  closeSync(opened)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason'
}

/** Throws unless it is a whole database of this server. */
function checkDatabase(database: Libsql.Database): readonly string[] {
  const check = database.prepare('PRAGMA integrity_check').get() as { integrity_check?: string }
  if (check.integrity_check !== 'ok') throw new Error('it is damaged')
  const applied = database.prepare('SELECT name FROM kysely_migration ORDER BY name').all() as readonly {
    name: string
  }[]
  return applied.map(({ name }) => name)
}

/** Nobody is signed in by a backup: who signed out since, or was removed, would be in again. */
function endSessions(file: string): void {
  const database = new Libsql(file)
  try {
    database.exec('DELETE FROM sessions')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

/** Throws unless the file is a whole database of this server, with nothing beside its own tables, and not of a newer one. */
async function checkBackup(file: string): Promise<void> {
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`)
  try {
    const database = new Libsql(file, { readonly: true })
    try {
      const applied = checkDatabase(database)
      const unknown = applied.find(name => !Object.hasOwn(migrations, name))
      if (unknown !== undefined) throw new Error(`a newer version of Foldboard wrote it (${unknown})`)
      const [found, expectedParts] = [partsIn(database), await ownParts(applied)]
      const other =
        [...found].find(([name, made]) => expectedParts.get(name) !== made) ??
        [...expectedParts].find(([name]) => !found.has(name))
      if (other !== undefined) throw new Error(`its ${other[0]} is not as Foldboard makes it`)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new StartError(`${file} cannot be restored: ${reasonOf(error)}.`)
  }
}

/** Tables, indexes, views and triggers of a database, by kind and name: how they are made. */
function partsIn(database: Libsql.Database): ReadonlyMap<string, string> {
  return partsOfRows(database.prepare(SCHEMA).all() as readonly Part[])
}

type Part = { readonly type: string; readonly name: string; readonly sql: string | null }

function partsOfRows(rows: readonly Part[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ type, name, sql: made }) => [`${type} ${name}`, (made ?? '').replaceAll(/\s+/g, ' ')]))
}

/** `sqlite_sequence` is made by SQLite for rows that it counts. */
const SCHEMA = `SELECT type, name, sql FROM sqlite_master WHERE name <> 'sqlite_sequence'`

/** What a database has to which these migrations were applied. */
async function ownParts(applied: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const last = applied.at(-1)
  if (last === undefined || applied.join() !== Object.keys(migrations).slice(0, applied.length).join())
    throw new Error('its migrations are not those of Foldboard')
  const db = new Kysely<Tables>({ dialect: new TransactionalDialect({ database: libsqlDriver(':memory:') }) })
  try {
    const provider = { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) }
    const { error } = await new Migrator({ db, provider }).migrateTo(last)
    if (error !== undefined) throw error as Error
    const { rows } = await sql.raw<Part>(SCHEMA).execute(db)
    return partsOfRows(rows)
  } finally {
    await db.destroy()
  }
}
