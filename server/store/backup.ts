import { existsSync, renameSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { StartError } from '../../network/start-error.ts'
import { makeFolder } from '../../network/store/folder.ts'
import { migrations } from './migrations.ts'
import { DATABASE_FILE, openServerStore } from './store.ts'

const LOCK_FILE = 'server.lock'

/**
 * Holds a folder for this process, so that no second server, and no restore, changes its database. Returns what lets go.
 * The lock is one of the operating system, on an empty database: it ends with the process, however that ends.
 */
export const lockFolder = (folder: string): (() => void) => {
  makeFolder(folder)
  const lock = new Libsql(join(folder, LOCK_FILE))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new StartError(`Another server uses the folder ${folder}. Stop it, or choose another folder with --data.`)
  }
  return () => {
    lock.close()
  }
}

/** Writes a copy of the database, which may be in use, to a file that does not exist yet. */
export const backUp = async (folder: string, file: string): Promise<void> => {
  if (!existsSync(join(folder, DATABASE_FILE))) throw new StartError(`There is no database in ${folder}.`)
  if (existsSync(file)) throw new StartError(`${file} exists already. Choose another name.`)
  const store = await openServerStore(folder)
  try {
    await store.backUp(file)
  } finally {
    await store.close()
  }
}

/** Replaces the database by a backup, once that has been checked. The former one is kept beside it. */
export const restore = async (folder: string, file: string): Promise<{ readonly former: string | undefined }> => {
  const unlock = lockFolder(folder)
  try {
    checkBackup(file)
    const path = join(folder, DATABASE_FILE)
    const incoming = `${path}.incoming`
    await copyFile(file, incoming)
    const former = existsSync(path) ? `${path}.before-restore` : undefined
    if (former !== undefined) renameSync(path, former)
    // They belong to the former database.
    for (const suffix of ['-wal', '-shm'])
      if (former !== undefined && existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${former}${suffix}`)
    await rename(incoming, path)
    const store = await openServerStore(folder)
    await store.close()
    return { former }
  } finally {
    unlock()
  }
}

/** Throws unless the file is a whole database of this server, and not of a newer one. */
const checkBackup = (file: string): void => {
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`)
  try {
    const database = new Libsql(file, { readonly: true })
    try {
      const check = database.prepare('PRAGMA integrity_check').get() as { integrity_check?: string }
      if (check.integrity_check !== 'ok') throw new Error('it is damaged')
      const applied = database.prepare('SELECT name FROM kysely_migration').all() as readonly { name: string }[]
      const unknown = applied.find(({ name }) => migrations[name] === undefined)
      if (unknown !== undefined) throw new Error(`a newer version of Foldboard wrote it (${unknown.name})`)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new StartError(`${file} cannot be restored: ${error instanceof Error ? error.message : 'unknown reason'}.`)
  }
}
