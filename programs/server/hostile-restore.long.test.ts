import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Migrator, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { libsqlDriver } from '../host/libsql.ts'
import { startProgram } from '../../test/program.ts'
import { useStopLater } from '../../test/stop-later.ts'
import { backUp, restore } from './store/backup.ts'
import { databaseOf } from './store/database.ts'
import { migrationsFor } from './store/migrations.ts'
import { endedUnit } from './store/recorder.ts'
import { DATABASE_FILE, openServerStore } from './store/sqlite.ts'
import { storeOf, type EndedUnit, type ServerStore } from './store/store.ts'

const SERVER = join(import.meta.dirname, '../../build/server.js')
const STRACE = 'strace'
/** System calls that change files. The program is killed as it enters the nth one: strace counts them for each thread. */
const COPYING = 'copy_file_range,sendfile'
/** The folder is made before anything else is changed; between two names there is no database. */
const NAMING = 'mkdir,mkdirat,rename,renameat,renameat2'
/** The copy is written to before it is renamed, and migrated afterwards: of these many, one in so many. */
const CHANGING = 'unlink,unlinkat,chmod,fchmod,fchmodat,ftruncate,fsync,fdatasync,pwrite64,pwritev'
const STRIDE = 6

const stopLater = useStopLater()
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-restore-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}
function copyOf(folder: string): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

function unitsOf(name: string): EndedUnit[] {
  return Array.from({ length: 300 }, (_, at) => `${name}-${at}`)
    .sort()
    .flatMap(
      id =>
        endedUnit(
          { id: 'attic', name: 'attic', owner: undefined, info: {} },
          {
            id,
            group: '',
            result: 'credited',
            end_time: '2027-01-01T00:00:00Z',
            assignment: { project: 1, credit: 5 },
          },
        ) ?? [],
    )
}
const [FORMER, SAVED] = [unitsOf('former'), unitsOf('saved')]
function idsOf(units: readonly EndedUnit[]): readonly string[] {
  return units.map(({ unit }) => unit).sort()
}

async function idsIn(store: ServerStore): Promise<readonly string[]> {
  try {
    return idsOf((await store.units({}, 1000)).units)
  } finally {
    await store.close()
  }
}

/** A folder as a server leaves it that was killed: what it wrote last is in the write-ahead log only. */
async function killedServer(): Promise<string> {
  const folder = newFolder()
  const store = await openServerStore(folder)
  await store.addUnits(FORMER)
  const left = copyOf(folder)
  await store.close()
  return left
}

/** A backup that an earlier version made, so that a restore migrates it. */
async function earlierBackup(): Promise<string> {
  const folder = newFolder()
  const database = databaseOf('sqlite', new SqliteDialect({ database: libsqlDriver(join(folder, DATABASE_FILE)) }))
  const provider = { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) }
  const { error } = await new Migrator({ db: database.db, provider }).migrateTo('006-standings')
  expect(error).toBeUndefined()
  const store = storeOf(database)
  await store.addUnits(SAVED)
  const file = join(newFolder(), 'saved.db')
  await backUp(folder, file)
  await store.close()
  return file
}

/** The database that a restore has put aside. */
function idsPutAside(folder: string): Promise<readonly string[]> {
  const copy = newFolder()
  for (const suffix of ['', '-wal']) {
    const file = join(folder, `${DATABASE_FILE}.before-restore${suffix}`)
    if (existsSync(file)) cpSync(file, join(copy, `${DATABASE_FILE}${suffix}`))
  }
  return openServerStore(copy).then(idsIn)
}

/** Whether the restore was killed before its end. */
async function killedAt(calls: string, nth: number, folder: string, file: string): Promise<boolean> {
  const kill = [
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:signal=SIGKILL:when=${nth}`,
  ]
  const words = [...kill, process.execPath, SERVER, 'restore', file, '--data', folder]
  const program = stopLater(startProgram(STRACE, words, { cwd: tmpdir() }))
  const code = await program.ended
  if (code !== null) {
    expect(code).toBe(0)
    expect(program.printed()).toEqual(expect.stringContaining('Restored'))
  }
  return code === null
}

const cases: Readonly<Record<string, () => Promise<string>>> = {
  'another database': killedServer,
  none: () => Promise.resolve(newFolder()),
}

for (const [kind, prepare] of Object.entries(cases))
  test(`a restore over ${kind} that is killed as it changes files leaves a whole database, or none and a server that refuses`, async ({
    skip,
  }) => {
    if (spawnSync(STRACE, ['-o', '/dev/null', 'true']).status !== 0)
      skip('There is no strace here, or it may not trace.')
    const [former, file] = [await prepare(), await earlierBackup()]
    const before = kind === 'none' ? undefined : idsOf(FORMER)
    const outcomes = new Set<string>()
    const check = async (folder: string): Promise<string> => {
      const isThere = existsSync(folder) && readdirSync(folder).some(name => name.startsWith(DATABASE_FILE))
      if (!isThere && before === undefined) return 'untouched'
      const store = await openServerStore(folder).catch((error: unknown) => String(error))
      if (typeof store === 'string') {
        expect(store).toContain('is missing')
        await restore(folder, file)
        expect(await idsIn(await openServerStore(folder))).toEqual(idsOf(SAVED))
        if (before !== undefined) expect(await idsPutAside(folder)).toEqual(before)
        return 'refused'
      }
      const ids = await idsIn(store)
      if (ids.length > 0 && ids[0] === before?.[0]) {
        expect(ids).toEqual(before)
        return 'former'
      }
      expect(ids).toEqual(idsOf(SAVED))
      if (before !== undefined) expect(await idsPutAside(folder)).toEqual(before)
      return 'restored'
    }
    for (const calls of [COPYING, NAMING, CHANGING])
      for (let nth = 1, isOver = false; !isOver; nth += calls === CHANGING ? STRIDE : 1) {
        const folder = copyOf(former)
        if (before === undefined) rmSync(folder, { recursive: true })
        isOver = !(await killedAt(calls, nth, folder, file))
        outcomes.add(await check(folder))
        rmSync(folder, { recursive: true, force: true })
      }
    expect([...outcomes].sort()).toEqual([before === undefined ? 'untouched' : 'former', 'refused', 'restored'].sort())
  }, 600_000)
