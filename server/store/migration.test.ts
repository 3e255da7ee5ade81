import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, Migrator, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { libsqlDriver } from '../../host/libsql.ts'
import { migrationsFor } from './migrations.ts'
import type { Tables } from './schema.ts'
import { DATABASE_FILE, openServerStore } from './store.ts'

test('a migration of SQLite that fails leaves nothing of itself, and is made at a later start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-migration-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const change = async (work: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> => {
    const dialect = new SqliteDialect({ database: libsqlDriver(join(folder, DATABASE_FILE)) })
    const db = new Kysely<Tables>({ dialect })
    await work(db)
    await db.destroy()
  }
  await change(async db => {
    const provider = { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) }
    await new Migrator({ db, provider }).migrateTo('006-standings')
    // The next one makes it too, after other tables.
    await sql`CREATE TABLE totals (name)`.execute(db)
  })
  await expect(openServerStore(folder)).rejects.toThrow('totals')
  await change(db => sql`DROP TABLE totals`.execute(db))
  await (await openServerStore(folder)).close()
})
