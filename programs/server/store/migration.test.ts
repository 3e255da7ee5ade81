import { cpSync, linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, Migrator, sql, SqliteDialect, type SqliteDatabase } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { libsqlDriver, TransactionalDialect } from '../../host/libsql.ts'
import { migrate } from './database.ts'
import { migrationsFor } from './migrations.ts'
import type { Tables } from './schema.ts'
import { DATABASE_FILE, openServerStore } from './sqlite.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-migration-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
async function change(folder: string, work: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: libsqlDriver(join(folder, DATABASE_FILE)) }),
  })
  await work(db)
  await db.destroy()
}
function upTo(name: string) {
  const provider = { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) }
  return (db: Kysely<Tables>) => new Migrator({ db, provider }).migrateTo(name)
}

test('a migration of SQLite that fails leaves nothing of itself, and is made at a later start', async () => {
  const folder = newFolder()
  await change(folder, async db => {
    await upTo('006-standings')(db)
    // The next one makes it too, after other tables.
    await sql`CREATE TABLE totals (name)`.execute(db)
  })
  const copy = join(folder, `${DATABASE_FILE}.before-migration-007-leases-and-totals`)
  await expect(openServerStore(folder)).rejects.toThrow(`totals" already exists ${copy} is a copy of it as it was`)
  await change(folder, db => sql`DROP TABLE totals`.execute(db))
  const copied: string[] = []
  await (await openServerStore(folder, file => copied.push(file))).close()
  expect(copied).toEqual([copy])
  await (await openServerStore(folder, file => copied.push(file))).close()
  expect(copied.length).toBe(1)
  expect(readdirSync(folder).filter(name => name.includes('before'))).toEqual([
    `${DATABASE_FILE}.before-migration-007-leases-and-totals`,
  ])
})

test('a server that is upgraded keeps all that the first version stored', async () => {
  const folder = newFolder()
  await change(folder, async db => {
    await upTo('001-history')(db)
    await sql`INSERT INTO machines VALUES ('attic', 'Attic', '10.0.0.7:7396', 'linux', '8.3.18', 1, 2)`.execute(db)
    await sql`INSERT INTO units (key, machine, unit, group_name, resource, project, result, credit, ended)
      VALUES ('attic a', 'attic', 'a', '', 'CPU', 18201, 'credited', 500, 7)`.execute(db)
    await sql`INSERT INTO samples VALUES (60, 60, 'attic', '', 18201, 'CPU', 1000)`.execute(db)
    await sql`INSERT INTO actions (at, who, machine, command, reason) VALUES (5, 'ana', 'attic', 'pause', '')`.execute(
      db,
    )
  })
  const copies: string[] = []
  const store = await openServerStore(folder, file => copies.push(file))
  expect(copies).toHaveLength(1)
  expect(await store.machines()).toMatchObject([{ id: 'attic', name: 'Attic', first_seen: 1 }])
  expect((await store.units({}, 10)).units).toMatchObject([{ key: 'attic a', project: 18_201, credit: 500 }])
  expect(await store.points({ from: 0, to: 120_000, by: 'machine', step: 60 })).toHaveLength(1)
  expect(await store.actions(10)).toMatchObject([{ who: 'ana', command: 'pause' }])
  await store.close()
})

test('a start that is killed at any statement of its migrations starts again', async () => {
  const folder = newFolder()
  await change(folder, async db => {
    await upTo('004-push')(db)
    await sql`INSERT INTO sessions VALUES ('h', 'ana', 5)`.execute(db)
  })
  /** What is on the disk before each statement. */
  const moments: string[] = []
  const path = join(folder, DATABASE_FILE)
  const driver = libsqlDriver(path)
  const killed: SqliteDatabase = {
    ...driver,
    prepare: statement => {
      if (!/^(?:select|pragma)/i.test(statement)) {
        const moment = newFolder()
        for (const suffix of ['', '-wal']) cpSync(`${path}${suffix}`, join(moment, `${DATABASE_FILE}${suffix}`))
        moments.push(moment)
      }
      return driver.prepare(statement)
    },
  }
  const db = new Kysely<Tables>({ dialect: new TransactionalDialect({ database: killed }) })
  await migrate(db, 'sqlite', path)
  await db.destroy()
  expect(moments.length).toBeGreaterThan(30)
  for (const moment of moments) {
    const store = await openServerStore(moment)
    expect(await store.sessions.find('h', 1)).toMatchObject({ user: 'ana', made_with: '' })
    await store.close()
  }
})

test('a database of a newer version, and one that has two names, are said to be that', async () => {
  const folder = newFolder()
  await (await openServerStore(folder)).close()
  const other = join(newFolder(), DATABASE_FILE)
  linkSync(join(folder, DATABASE_FILE), other)
  await expect(openServerStore(folder)).rejects.toThrow('has another name too')
  rmSync(other)
  await change(folder, db => sql`INSERT INTO kysely_migration VALUES ('999-later', '2030')`.execute(db))
  await expect(openServerStore(folder)).rejects.toThrow('written by a newer version of Foldboard (999-later)')
})
