import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrollingModel } from '../../models/enrolling.model.ts'
import { startNetwork, type Network } from '../../network/index.ts'
import { newRegistration } from '../../network/testing/new-registration.ts'
import { openTestSocket, type TestSocket } from '../../network/testing/test-socket.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../test/journey.ts'
import { readConfig } from '../config/read-config.ts'
import { startService, type Service } from '../service.ts'
import { openServerStore, type ServerStore } from '../store/store.ts'
import { accountApi } from './account.ts'
import { accountPath, isEnrolled, readAccount, readKey, writeAccount, type EnrolledAccount } from './account-file.ts'
import { enroll } from './enroll.ts'

const SMALL = {
  port: 0,
  data: undefined,
  uniform: true,
  keyBits: 1024,
  accountKeyBits: 1024,
  client: { host: '127.0.0.1', port: 9 },
} as const

let network: Network
beforeAll(async () => {
  network = await startNetwork({ ...SMALL, machines: 1 })
  await network.online()
})
afterAll(() => network.stop())

const configOf = (commands: readonly string[], { apiUrl }: Pick<Network, 'apiUrl'> = network) => {
  const text = `[listen]\nport = 0\n[account]\napi-url = "${apiUrl}"\nplain-node = true\ntags = ["account"]\ncommands = ${JSON.stringify(commands)}\n`
  const read = readConfig({ file: { path: 'test.toml', text } })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  return read.config
}

const ALWAYS = {
  id: 'all',
  name: 'Always',
  isEnabled: true,
  targets: [{ kind: 'tag', name: 'account' }],
  timeZone: 'UTC',
  rules: [],
  finishMinutes: 0,
}

type Listed = { readonly number: number; readonly name: string; readonly connected: boolean; readonly units: number }

const startDriver = () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-enroll-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const source = { variable: undefined, file: undefined, folder }
  const { email, passphrase } = network.account
  const simulated = network.clients()[0]
  if (simulated === undefined) throw new Error('The network has no machine.')
  let trouble: unknown
  let running: { readonly service: Service; readonly store: ServerStore; readonly origin: string } | undefined
  let page: TestSocket | undefined
  const signUp = async (phrase: string): Promise<void> => {
    const { account } = await enroll(accountApi(network.apiUrl), email, phrase)
    writeAccount(folder, readKey(source, true), account)
  }
  const start = async (commands: readonly string[]) => {
    const account = readAccount(folder, readKey(source, false))
    const store = await openServerStore(undefined)
    const service = await startService({
      config: configOf(commands),
      store,
      account,
      log: pino({ level: 'silent' }),
      dist: folder,
      version: '0.0.0',
      random: () => 0,
    })
    running = { service, store, origin: `http://127.0.0.1:${service.port}` }
    await expect.poll(async () => (await machines())[0]?.connected, { timeout: 20_000 }).toBe(true)
  }
  const machines = async (): Promise<readonly Listed[]> => {
    const answer = await fetch(`${running?.origin}/api/server/machines`)
    return ((await answer.json()) as { machines: Listed[] }).machines
  }
  const open = async (): Promise<void> => {
    const { origin = '' } = running ?? {}
    page = await openTestSocket(`${origin.replace('http', 'ws')}/api/websocket`, { Origin: origin })
  }
  const expectState = async (): Promise<void> => {
    const text = (await page?.next(message => message.startsWith('{'))) ?? '{}'
    expect((JSON.parse(text) as { info: { id: string } }).info.id).toBe(simulated.id)
  }
  const pause = () => page?.send('{"cmd":"state","state":"pause"}')
  const actions = async () => (await running?.store.actions(10)) ?? []
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work()
    } catch (error) {
      trouble = error
    }
  }
  const reasonOf = (): string => (trouble instanceof Error ? trouble.message : '')

  const driver: Driver<typeof enrollingModel> = {
    does: {
      'enter a wrong passphrase': () => attempt(() => signUp('a wrong passphrase')),
      'enter the passphrase': () => signUp(passphrase),
      'start the server': () => start([]),
      'open a machine': open,
      'allow commands': async () => {
        await start(['state'])
        await open()
      },
      'pause it': pause,
      'let a schedule pause it': async () => {
        const { origin = '' } = running ?? {}
        const post = async (path: string, body: object) =>
          (await fetch(`${origin}${path}`, { method: 'POST', headers: { Origin: origin }, body: JSON.stringify(body) }))
            .status
        const schedules = async () =>
          (await (await fetch(`${origin}/api/server/schedules`)).json()) as {
            readonly revision: string
            readonly subjects: readonly { readonly condition: string }[]
          }
        // Another journey may have paused it, and what is so already needs no command.
        for (const otherwise of ['fold', 'pause']) {
          const { revision } = await schedules()
          expect(await post('/api/server/schedules', { revision, schedules: [{ ...ALWAYS, otherwise }] })).toBe(200)
          await expect.poll(async () => (await schedules()).subjects[0]?.condition, { timeout: 20_000 }).toBe('kept')
        }
      },
      'let others read the key': () => {
        chmodSync(join(folder, 'account.key'), 0o644)
        return attempt(() => start([]))
      },
      'lose the key': () => {
        rmSync(join(folder, 'account.key'))
        return attempt(() => start([]))
      },
    },
    sees: {
      unknown: () => expect(isEnrolled(folder)).toBe(false),
      refused: () => expect([reasonOf(), isEnrolled(folder)]).toEqual(['Email or passphrase is wrong.', false]),
      enrolled: () => {
        const path = accountPath(folder)
        const text = readFileSync(path, 'utf8')
        expect([statSync(path).mode & 0o777, statSync(join(folder, 'account.key')).mode & 0o777]).toEqual([
          0o600, 0o600,
        ])
        expect(text).not.toContain(passphrase)
        expect(text).not.toContain(readAccount(folder, readKey(source, false)).privateKey.slice(0, 40))
      },
      exposed: () => expect(reasonOf()).toContain('can be read by others'),
      locked: () => expect(reasonOf()).toContain('Enroll again'),
      listed: async () =>
        expect(await machines()).toMatchObject([{ number: 1, name: simulated.client.name(), connected: true }]),
      opened: expectState,
      observed: async () => {
        // What is sent afterwards is answered, so the command was read before.
        page?.send('{"cmd":"wus","enable":true}')
        await page?.next(message => message.startsWith('["wus"'))
        expect(await actions()).toEqual([])
      },
      allowed: expectState,
      scheduled: () =>
        expect
          .poll(async () => (await actions())[0], { timeout: 20_000 })
          .toMatchObject({ who: 'schedules', command: 'pause', outcome: 'confirmed' }),
      paused: () =>
        expect
          .poll(actions, { timeout: 20_000 })
          .toMatchObject([{ who: 'local', command: 'pause', outcome: 'confirmed' }]),
    },
  }
  return {
    driver,
    stop: async () => {
      page?.drop()
      await running?.service.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('enrolling, in process', () => {
  for (const journey of simpleJourneysOf(enrollingModel))
    it(
      journey.title,
      async () => {
        const { driver, stop } = startDriver()
        await walkJourney('journey in process', driver, journey)
        await stop()
      },
      60_000,
    )
})

describe('an account with new keys', () => {
  it('has revoked the server: its machines are left, also after the next start, until it is enrolled again', async () => {
    const own = await startNetwork({ ...SMALL, machines: 1 })
    await own.online()
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-revoke-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const { email, passphrase } = own.account
    const errors: string[] = []
    const log = { info: () => undefined, warn: () => undefined }
    const machinesAt = async (account: EnrolledAccount, isDone: (count: number) => boolean): Promise<void> => {
      const store = await openServerStore(undefined)
      const service = await startService({
        config: configOf([], own),
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
    const before = (await enroll(accountApi(own.apiUrl), email, passphrase)).account
    await machinesAt(before, count => count === 1)
    const put = async (path: string, body: object): Promise<number> =>
      (await fetch(`${own.apiUrl}${path}`, { method: 'PUT', body: JSON.stringify(body) })).status
    expect(await put('/reset', { email, url: `${own.dashboardUrl}/reset` })).toBe(200)
    const token = /\/reset\/([^?]+)/.exec((await own.outbox())[0]?.link ?? '')?.[1] ?? ''
    const { keys } = await newRegistration(email, 'the next passphrase')
    expect(await put(`/reset/${token}`, keys)).toBe(200)
    await machinesAt(before, count => count === 0 && errors.length > 0)
    expect(errors[0]).toContain('Enroll again')
    await expect(enroll(accountApi(own.apiUrl), email, passphrase)).rejects.toThrow('Email or passphrase is wrong.')
    const after = await enroll(accountApi(own.apiUrl), email, 'the next passphrase')
    expect(after.account.publicKey).not.toBe(before.publicKey)
    rmSync(folder, { recursive: true })
    await own.stop()
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
