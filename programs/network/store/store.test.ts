import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountByEmail, accountByToken, createAccount, editAccount, passwordFits, renewToken } from './accounts.ts'
import { saveBroadcast, storedBroadcasts } from './broadcasts.ts'
import { causes, projectById, seedCatalog } from './catalog.ts'
import { addSimulatedClients, clearStates, saveSimulatedClients, simulatedClients } from './clients.ts'
import { linkMachine, machinesOf } from './machines.ts'
import { accountOfSession, closeSession, openSession } from './sessions.ts'
import { setSetting, setting } from './settings.ts'
import { openStore } from './store.ts'
import type { Store } from './store.ts'
import { startProgram } from '../../../test/program.ts'

let folder: string
let store: Store

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'foldboard-store-')), 'new', 'folder')
  store = await openStore(folder)
})

afterEach(async () => {
  await store.destroy()
  rmSync(folder, { recursive: true })
})

async function restart(): Promise<void> {
  await store.destroy()
  store = await openStore(folder)
}

test('an unusable folder is reported with the option that changes it', async () => {
  await expect(openStore('/dev/null/here')).rejects.toThrow(
    /^The database \/dev\/null\/here\/foldboard.db cannot be opened: .* Choose another folder with --data.$/,
  )
})

test.skipIf(!existsSync('/proc/self'))(
  'a folder that takes no children is said to be unusable at once (where there is /proc)',
  async () => {
    await expect(openStore('/proc/foldboard/here')).rejects.toThrow(
      /^The database \/proc\/foldboard\/here\/foldboard.db cannot be opened: ENOENT.* Choose another folder with --data.$/,
    )
  },
)

test.skipIf(process.platform === 'win32')(
  'one process uses the database; a second one says how to choose another',
  async () => {
    const script = `
      try { new (require('libsql'))(process.argv[1]).exec('PRAGMA journal_mode = WAL'); console.log('opened') }
      catch (error) { console.log(error.code) }
      setInterval(() => {}, 1000)`
    const otherProcess = (name: string) =>
      startProgram(process.execPath, ['-e', script, name], { cwd: join(import.meta.dirname, '../../..') })
    const path = join(folder, 'foldboard.db')
    const second = otherProcess(path)
    await second.says(/SQLITE_BUSY/)
    await second.stop()
    const held = join(folder, 'held')
    mkdirSync(held)
    const inUse = join(held, 'foldboard.db')
    const first = otherProcess(`${pathToFileURL(inUse).href}?vfs=unix-excl`)
    await first.says(/opened/)
    await expect(openStore(held)).rejects.toThrow(
      `The database ${inUse} is already taken. Stop the other program or choose another folder with --data and other ports with --port.`,
    )
    await first.stop()
  },
)

const newcomer = {
  email: 'Ada@Example.org',
  password: 'UEFTUw==',
  pubkey: 'S0VZ',
  keyId: 'key-1',
  secret: 'c2VjcmV0',
  user: 'ada',
  team: 3,
  passkey: '',
  cause: 'any',
  verified: true,
}

test('a failed transaction reports the error and is rolled back', async () => {
  await sql`create table scraps (text text)`.execute(store)
  await sql`create trigger no_scraps before insert on scraps when new.text = 'bad'
    begin select raise(rollback, 'this scrap is refused'); end`.execute(store)
  const insert = (text: string) =>
    store.transaction().execute(async transaction => {
      await sql`insert into scraps values ('before')`.execute(transaction)
      await sql`insert into scraps values (${text})`.execute(transaction)
    })

  await expect(insert('bad')).rejects.toThrow('this scrap is refused')
  await insert('good')
  expect((await sql<{ text: string }>`select text from scraps`.execute(store)).rows).toEqual([
    { text: 'before' },
    { text: 'good' },
  ])
})

test('accounts, sessions, clients, broadcasts and settings survive a restart', async () => {
  const account = await createAccount(store, newcomer)
  const session = await openSession(store, account.id)
  await editAccount(store, account.id, { user: 'ada lovelace', config: '{"dark":true}' })
  await linkMachine(store, { id: 'm-1', account: account.id, name: 'attic', pubkey: 'S0VZ' })
  await saveBroadcast(store, { account: 'key-1', cmd: 'state', time: 5, message: 'first' })
  await saveBroadcast(store, { account: 'key-1', cmd: 'state', time: 6, message: 'second' })
  await setSetting(store, 'seed', '7')
  await restart()

  const expected = { ...account, user: 'ada lovelace', config: '{"dark":true}' }
  expect(await accountByEmail(store, 'ADA@example.ORG')).toEqual(expected)
  expect(await accountByToken(store, account.token)).toEqual(expected)
  expect(await accountOfSession(store, session)).toEqual(expected)
  expect(await machinesOf(store, account.id)).toEqual([{ id: 'm-1', name: 'attic' }])
  expect(await storedBroadcasts(store)).toEqual([{ account: 'key-1', cmd: 'state', time: 6, message: 'second' }])
  expect(await setting(store, 'seed')).toBe('7')
})

test('a password is stored as a hash', async () => {
  const account = await createAccount(store, newcomer)

  expect(account.password_hash).not.toContain(newcomer.password)
  expect(passwordFits(account, newcomer.password)).toBe(true)
  expect(passwordFits(account, 'UEFTVA==')).toBe(false)
})

test('closed and expired sessions are invalid', async () => {
  const account = await createAccount(store, newcomer)
  const [closed, old] = [await openSession(store, account.id), await openSession(store, account.id)]
  await closeSession(store, closed)
  await store.updateTable('sessions').set({ created: '2020-01-01T00:00:00.000Z' }).where('id', '=', old).execute()

  expect(await accountOfSession(store, closed)).toBeUndefined()
  expect(await accountOfSession(store, old)).toBeUndefined()
})

test('a client that is linked again gets the new account and name', async () => {
  const first = await createAccount(store, newcomer)
  const second = await createAccount(store, { ...newcomer, email: 'bob@example.org', keyId: 'key-2' })
  await linkMachine(store, { id: 'm-1', account: first.id, name: 'attic', pubkey: 'S0VZ' })
  await linkMachine(store, { id: 'm-1', account: second.id, name: 'cellar', pubkey: 'S0VZ' })

  expect(await machinesOf(store, first.id)).toEqual([])
  expect(await machinesOf(store, second.id)).toEqual([{ id: 'm-1', name: 'cellar' }])
})

test('a renewed token replaces the old one', async () => {
  const account = await createAccount(store, newcomer)
  const token = await renewToken(store, account.id)

  expect(await accountByToken(store, account.token)).toBeUndefined()
  expect((await accountByToken(store, token))?.id).toBe(account.id)
})

test('the state of simulated clients survives a restart, but not a new seed', async () => {
  const row = (slot: number) => ({
    slot,
    machine_id: `m-${slot}`,
    private_key: 'cHJpdg==',
    public_key: 'cHVi',
    name: `box ${slot}`,
    token: 'told',
  })
  await addSimulatedClients(store, [row(0), row(1), row(2)])
  await saveSimulatedClients(store, [{ slot: 1, name: 'renamed', token: '', state: '{"units":[]}' }])
  await restart()

  const saved = expect.any(String) as unknown
  expect(await simulatedClients(store, 2)).toEqual([
    { ...row(0), state: null, saved },
    { ...row(1), name: 'renamed', token: '', state: '{"units":[]}', saved },
  ])
  await clearStates(store)
  expect((await simulatedClients(store, 2)).map(({ name, state }) => ({ name, state }))).toEqual([
    { name: 'box 0', state: null },
    { name: 'renamed', state: null },
  ])
})

test('the catalog is updated, in order', async () => {
  const project = {
    id: 1,
    manager: 'm',
    institution: 'i',
    cause: 'cancer',
    thumb: '',
    description: 'old',
    mthumb: '',
    mdescription: '',
  }
  await seedCatalog(store, { causes: ['unspecified', 'cancer'], projects: [project] })
  await seedCatalog(store, {
    causes: ['unspecified', 'alzheimers', 'cancer'],
    projects: [{ ...project, description: 'new' }],
  })

  expect(await causes(store)).toEqual(['unspecified', 'alzheimers', 'cancer'])
  expect(await projectById(store, 1)).toEqual({ ...project, description: 'new' })
})
