import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../../network/index.ts'
import { newRegistration } from '../../../test/network/new-registration.ts'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import { groupConfig } from '../../../test/end-to-end/scripted-client.ts'
import { ALWAYS, configOf, SMALL, type Listed } from '../../../test/server-account.ts'
import { readConfig } from '../config/read-config.ts'
import { startService } from '../service.ts'
import { openServerStore } from '../store/sqlite.ts'
import { accountApi } from './account.ts'
import { accountPath, readAccount, readKey, writeAccount, type EnrolledAccount } from './account-file.ts'
import { enroll } from './enroll.ts'

describe('clients of an account', () => {
  it('may be sent what their own settings allow, from pages, programs and schedules', async () => {
    const ownNetwork = await startNetwork({ ...SMALL, machines: 2 })
    await ownNetwork.online()
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-allowed-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const { account } = await enroll(
      accountApi(ownNetwork.apiUrl),
      ownNetwork.account.email,
      ownNetwork.account.passphrase,
    )
    const [first, second] = ownNetwork.clients().map(({ id }) => id)
    const text = `[listen]
port = 0
[account]
api-url = "${ownNetwork.apiUrl}"
plain-node = true
stay-connected = true
commands = ["state"]
tags = ["account"]
[[account.machines]]
id = "${second}"
commands = []
[[account.machines]]
id = "unknown"`
    const read = readConfig({ file: { path: 'test.toml', text } })
    if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
    const warnings: unknown[] = []
    const store = await openServerStore(undefined)
    const service = await startService({
      config: read.config,
      store,
      account,
      log: { info: () => undefined, error: () => undefined, warn: (facts: unknown) => warnings.push(facts) },
      dist: folder,
      version: '0.0.0',
      random: () => 0,
    })
    const origin = `http://127.0.0.1:${service.port}`
    const get = async <Answer>(path: string) => (await (await fetch(`${origin}${path}`)).json()) as Answer
    const post = async (path: string, body: object) =>
      (await fetch(`${origin}${path}`, { method: 'POST', headers: { Origin: origin }, body: JSON.stringify(body) }))
        .status
    type Clients = { readonly machines: (Listed & { readonly id: string; readonly commands: readonly string[] })[] }
    const clients = async () => (await get<Clients>('/api/server/machines')).machines
    await expect
      .poll(async () => (await clients()).map(each => each.connected), { timeout: 20_000 })
      .toEqual([true, true])
    const numberOf = async (id: string | undefined) => (await clients()).find(each => each.id === id)?.number ?? 0
    const [allowed, observed] = [await numberOf(first), await numberOf(second)]
    expect(new Map((await clients()).map(each => [each.number, each.commands]))).toEqual(
      new Map([
        [allowed, ['state']],
        [observed, []],
      ]),
    )
    const command = { command: { cmd: 'state', state: 'pause' } }
    expect(await post(`/api/server/machines/${observed}/commands`, command)).toBe(403)
    expect(await post(`/api/server/machines/${observed}/override`, { state: 'pause' })).toBe(403)
    const socket = await openTestSocket(
      `${origin.replace('http', 'ws')}${observed === 1 ? '' : `/clients/${observed}`}/api/websocket`,
      { Origin: origin },
    )
    await socket.next(message => message.startsWith('{'))
    socket.send('{"cmd":"state","state":"pause"}')
    // What is sent afterwards is answered, so the command was read before.
    socket.send('{"cmd":"wus","enable":true}')
    await socket.next(message => message.startsWith('["wus"'))
    socket.drop()
    const { revision } = await get<{ readonly revision: string }>('/api/server/schedules')
    expect(await post('/api/server/schedules', { revision, schedules: [{ ...ALWAYS, otherwise: 'pause' }] })).toBe(200)
    type Subjects = { readonly subjects: readonly { readonly machine: number; readonly condition: string }[] }
    const conditions = async () =>
      new Map(
        (await get<Subjects>('/api/server/schedules')).subjects.map(({ machine: client, condition }) => [
          client,
          condition,
        ]),
      )
    await expect.poll(async () => (await conditions()).get(allowed), { timeout: 20_000 }).toBe('kept')
    expect((await conditions()).get(observed)).toBe('observing')
    const actions = await store.actions(10)
    expect(actions.map(({ who }) => who)).toEqual(['schedules'])
    expect(warnings).toContainEqual({ machines: ['unknown'] })
    await service.stop()
    rmSync(folder, { recursive: true })
    await ownNetwork.stop()
  }, 60_000)
})

describe('a client of an account that sends too much', () => {
  it('is disconnected and named, and others of the account go on', async () => {
    const ownNetwork = await startNetwork({ ...SMALL, machines: 2 })
    await ownNetwork.online()
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-excess-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const { account } = await enroll(
      accountApi(ownNetwork.apiUrl),
      ownNetwork.account.email,
      ownNetwork.account.passphrase,
    )
    const text = `[listen]\nport = 0\n[account]\napi-url = "${ownNetwork.apiUrl}"\nplain-node = true\nstay-connected = true\ncommands = ["config"]`
    const read = readConfig({ file: { path: 'test.toml', text } })
    if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
    const service = await startService({
      config: read.config,
      store: await openServerStore(undefined),
      account,
      log: pino({ level: 'silent' }),
      dist: folder,
      version: '0.0.0',
      random: () => 0,
    })
    const origin = `http://127.0.0.1:${service.port}`
    const get = async <Answer>(path: string) => (await (await fetch(`${origin}/api/server/${path}`)).json()) as Answer
    const connected = async () =>
      (await get<{ machines: Listed[] }>('machines')).machines.map(client => client.connected)
    await expect.poll(connected, { timeout: 20_000 }).toEqual([true, true])
    // A client makes any number of groups, and reports each.
    const groups = Object.fromEntries(
      Array.from({ length: 210 }, (_, at) => [`group ${at}`, groupConfig({ paused: true, cpus: 0 })]),
    )
    const body = JSON.stringify({ command: { cmd: 'config', config: { groups } } })
    const sent = fetch(`${origin}/api/server/machines/1/commands`, {
      method: 'POST',
      headers: { Origin: origin },
      body,
    })
    await expect.poll(connected, { timeout: 20_000 }).toEqual([false, true])
    expect((await sent).status).toBe(200)
    const { machines: clients } = await get<{ machines: object[] }>('session')
    expect(clients).toMatchObject([{ number: 1, excess: 'groups' }, { number: 2 }])
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    expect(metrics).toMatch(/^foldboard_machine_disconnections_total\{machine="[^"]*",limit="groups"\} 1$/m)
    for (const { id } of ownNetwork.clients()) expect(metrics).not.toContain(id)
    await service.stop()
    rmSync(folder, { recursive: true })
    await ownNetwork.stop()
  }, 60_000)
})

describe('an account with new keys', () => {
  it('has revoked the server: its clients are left, also after the next start, until it is enrolled again', async () => {
    const ownNetwork = await startNetwork({ ...SMALL, machines: 1 })
    await ownNetwork.online()
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-revoke-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const { email, passphrase } = ownNetwork.account
    const errors: string[] = []
    const log = { info: () => undefined, warn: () => undefined }
    const clientsAt = async (account: EnrolledAccount, isDone: (count: number) => boolean): Promise<void> => {
      const store = await openServerStore(undefined)
      const service = await startService({
        config: configOf(ownNetwork, []),
        store,
        account,
        log: { ...log, error: (text: unknown) => errors.push(String(text)) },
        dist: folder,
        version: '0.0.0',
        random: () => 0,
      })
      const count = async (): Promise<number> => {
        const answer = await fetch(`http://127.0.0.1:${service.port}/api/server/machines`)
        return ((await answer.json()) as { machines: Listed[] }).machines.filter(({ connected }) => connected).length
      }
      await expect.poll(async () => isDone(await count()), { timeout: 20_000 }).toBe(true)
      await service.stop()
    }
    const before = (await enroll(accountApi(ownNetwork.apiUrl), email, passphrase)).account
    await clientsAt(before, count => count === 1)
    const put = async (path: string, body: object): Promise<number> =>
      (await fetch(`${ownNetwork.apiUrl}${path}`, { method: 'PUT', body: JSON.stringify(body) })).status
    expect(await put('/reset', { email, url: `${ownNetwork.dashboardUrl}/reset` })).toBe(200)
    const token = /\/reset\/([^?]+)/.exec((await ownNetwork.outbox())[0]?.link ?? '')?.[1] ?? ''
    const { keys } = await newRegistration(email, 'the next passphrase')
    expect(await put(`/reset/${token}`, keys)).toBe(200)
    await clientsAt(before, count => count === 0 && errors.length > 0)
    expect(errors[0]).toContain('Enroll again')
    await expect(enroll(accountApi(ownNetwork.apiUrl), email, passphrase)).rejects.toThrow(
      'Email or passphrase is wrong.',
    )
    const after = await enroll(accountApi(ownNetwork.apiUrl), email, 'the next passphrase')
    expect(after.account.publicKey).not.toBe(before.publicKey)
    rmSync(folder, { recursive: true })
    await ownNetwork.stop()
  }, 60_000)
})

describe('the file of an account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-account-'))
  const account = { publicKey: 'p', privateKey: 'k', session: 's' }
  const key = Buffer.alloc(32, 1)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is read with its key only, and not when others can read it', () => {
    writeAccount(folder, key, account)
    expect(readAccount(folder, key)).toEqual(account)
    expect(() => readAccount(folder, Buffer.alloc(32, 2))).toThrow('cannot be decrypted')
    chmodSync(accountPath(folder), 0o640)
    expect(() => readAccount(folder, key)).toThrow('can be read by others')
    writeAccount(folder, key, account)
    expect(readAccount(folder, key)).toEqual(account)
    writeFileSync(accountPath(folder), '{}')
    expect(() => readAccount(folder, key)).toThrow('cannot be decrypted')
  })

  it('has a key of the environment or a file, which must have 32 bytes', () => {
    const source = { variable: key.toString('base64'), file: undefined, folder }
    expect(readKey(source, false)).toEqual(key)
    expect(existsSync(join(folder, 'account.key'))).toBe(false)
    expect(() => readKey({ ...source, variable: 'short' }, false)).toThrow('FOLDBOARD_ACCOUNT_KEY must have 32 bytes')
    expect(() => readKey({ ...source, variable: undefined, file: join(folder, 'none') }, false)).toThrow('is missing')
  })
})
