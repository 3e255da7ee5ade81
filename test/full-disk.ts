import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, SqliteDialect } from 'kysely'
import Libsql from 'libsql'
import { expect, vi } from 'vitest'
import { libsqlDriver } from '../programs/host/libsql.ts'
import { databaseOf, migrate, type Database } from '../programs/server/store/database.ts'
import { openPostgres } from '../programs/server/store/postgres.ts'
import { DATABASE_FILE, openServerStore } from '../programs/server/store/sqlite.ts'
import { storeOf, type ServerStore } from '../programs/server/store/store.ts'
import type { TestPostgres } from './postgres.ts'
import { callJson, clientOf, untilConnected, type useService } from './server-service.ts'

/** A database whose disk the test fills and clears. */
export type FullDatabase = {
  readonly store: ServerStore
  readonly fill: () => Promise<void>
  readonly clear: () => Promise<void>
  /** After the store was closed. */
  readonly remove: () => void
}

async function tablesOf({ db }: Database): Promise<readonly string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name)
}

/** SQLite that refuses every write with the words of a full disk. */
export async function refusingSqlite(): Promise<FullDatabase> {
  const database = databaseOf('sqlite', new SqliteDialect({ database: libsqlDriver(':memory:') }))
  await migrate(database.db, 'sqlite', ':memory:')
  const run = (text: string) => sql.raw(text).execute(database.db)
  const triggers = (await tablesOf(database)).flatMap(table =>
    ['INSERT', 'UPDATE', 'DELETE'].map(kind => ({ name: `full_${table}_${kind}`, kind, table })),
  )
  return {
    store: storeOf(database),
    fill: async () => {
      for (const { name, kind, table } of triggers)
        await run(
          `CREATE TEMP TRIGGER ${name} BEFORE ${kind} ON main.${table} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
        )
    },
    clear: async () => {
      for (const { name } of triggers) await run(`DROP TRIGGER temp.${name}`)
    },
    remove: () => undefined,
  }
}

/** PostgreSQL that refuses every write as it does without space on its disk. */
export async function refusingPostgres(postgres: TestPostgres): Promise<FullDatabase> {
  const database = await openPostgres(await postgres.newDatabase())
  const run = (text: string) => sql.raw(text).execute(database.db)
  await run(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`,
  )
  const tables = await tablesOf(database)
  return {
    store: storeOf(database),
    fill: async () => {
      for (const table of tables)
        await run(
          `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
        )
    },
    clear: async () => {
      for (const table of tables) await run(`DROP TRIGGER refuse ON ${table}`)
    },
    remove: () => undefined,
  }
}

/** SQLite on a small file system of its own; undefined where that cannot be mounted. */
export async function smallDisk(): Promise<FullDatabase | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status !== 0) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    store: await openServerStore(folder),
    fill: () => {
      // What its log has of the disk would take some writes.
      const database = new Libsql(join(folder, DATABASE_FILE))
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      for (const part of [65_536, 4096, 1])
        for (;;)
          try {
            writeFileSync(filler, Buffer.alloc(part), { flag: 'a' })
          } catch {
            break
          }
      return Promise.resolve()
    },
    clear: () => {
      rmSync(filler)
      return Promise.resolve()
    },
    remove: () => {
      // Lazily: SQLite closes its files when its statements are collected.
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const UNITS = 100
const schedule = {
  id: 'all',
  name: 'Always',
  isEnabled: true,
  targets: [{ kind: 'all' }],
  timeZone: 'Europe/Berlin',
  rules: [],
  otherwise: 'pause',
  finishMinutes: 0,
}

/** A server whose disk is full says so, does nothing that it cannot store, and loses nothing that it was told. */
export async function leanOnFullDisk(
  { client, start }: Pick<ReturnType<typeof useService>, 'client' | 'start'>,
  { store, fill, clear }: FullDatabase,
): Promise<void> {
  const attic = await client()
  const service = await start(`${clientOf(attic, ['state'])}\n[store]\nsample-seconds = 10`, { store })
  await untilConnected(service)
  const [ready, post] = [
    async () => (await fetch(`${service.origin}/readyz`)).status,
    async (path: string, body: object) => (await callJson(service, path, body)).status,
  ]
  expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus', enable: true })
  expect(await ready()).toBe(200)
  const read = async () =>
    (await callJson(service, '/api/server/schedules')).json as { revision: string; schedules: []; subjects: object[] }
  const { revision } = await read()

  await fill()
  const units = Array.from({ length: UNITS }, (_, at) => ({
    id: `unit-${at}`,
    result: 'credited',
    end_time: '2027-01-01T00:00:00Z',
    // More than fits into the pages that the database has.
    group: 'x'.repeat(400),
    assignment: { project: 18_201, credit: 1000 },
  }))
  attic.say(['wus', units])
  await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 20_000 })
  const save = { revision, schedules: [schedule] }
  expect(await post('/api/server/schedules', save)).toBe(500)
  expect(await post('/api/server/machines/1/override', { state: 'pause', minutes: 60 })).toBe(500)
  expect(await post('/api/server/machines/1/commands', { command: { cmd: 'state', state: 'pause' } })).toBe(500)
  expect(await post('/api/server/inputs/solar', { value: 5 })).toBe(500)
  expect(await read()).toMatchObject({ revision, schedules: [], inputs: [], subjects: [] })
  expect(await store.units({}, 100)).toMatchObject({ units: [] })
  expect(attic.untakenCommands()).toMatchObject([])

  await clear()
  await vi.waitFor(async () => expect((await store.units({}, 100)).units).toHaveLength(UNITS), { timeout: 20_000 })
  expect(await ready()).toBe(200)
  expect(await post('/api/server/schedules', save)).toBe(200)
  expect(await post('/api/server/machines/1/override', { state: 'fold', minutes: 60 })).toBe(200)
  const stored = await store.schedules.load(0)
  expect(stored.schedules).toHaveLength(1)
  expect(Object.values(stored.states).map(({ saved }) => saved.override?.state)).toEqual(['fold'])
}
