import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrollingModel } from '../../../models/enrolling.model.ts'
import { startNetwork, type Network } from '../../network/index.ts'
import { openTestSocket, type TestSocket } from '../../../test/network/test-socket.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../../test/journey.ts'
import { ALWAYS, configOf, SMALL, type Listed } from '../../../test/server-account.ts'
import { startService, type Service } from '../service.ts'
import { openServerStore } from '../store/sqlite.ts'
import type { ServerStore } from '../store/store.ts'
import { accountApi } from './account.ts'
import { accountPath, isEnrolled, readAccount, readKey, writeAccount, type EnrolledAccount } from './account-file.ts'
import { enroll } from './enroll.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ ...SMALL, machines: 1 })
  await network.online()
})
afterAll(() => network.stop())

const RESUMES = {
  kind: 'week',
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '00:00',
  until: '24:00',
  state: 'fold',
  resumesPaused: true,
}

/** `where`: the account is enrolled in a terminal before the server starts, or in the page of a server that runs. */
function startDriver(where: 'terminal' | 'page') {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-enroll-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const source = { variable: undefined, file: undefined, folder }
  const { email, passphrase } = network.account
  const simulated = network.clients()[0]
  if (simulated === undefined) throw new Error('The network has no machine.')
  let trouble: unknown
  let running: { readonly service: Service; readonly store: ServerStore; readonly origin: string } | undefined
  let page: TestSocket | undefined
  const logged: string[] = []
  const enrollHere = async (address: string, phrase: string) => {
    const enrollment = await enroll(accountApi(network.apiUrl), address, phrase)
    writeAccount(folder, readKey(source, true), enrollment.account)
    return enrollment
  }
  const serve = async (commands: readonly string[], account: EnrolledAccount | undefined): Promise<void> => {
    await stopServer()
    const store = await openServerStore(folder)
    const service = await startService({
      config: configOf(network, commands),
      store,
      account,
      enroll: enrollHere,
      log: pino({ level: 'debug' }, { write: line => logged.push(line) }),
      dist: folder,
      version: '0.0.0',
      random: () => 0,
    })
    running = { service, store, origin: `http://127.0.0.1:${service.port}` }
  }
  const stopServer = async (): Promise<void> => {
    await running?.service.stop()
    running = undefined
  }
  const signUp = async (phrase: string): Promise<void> => {
    if (where === 'terminal') {
      await enrollHere(email, phrase)
      return
    }
    if (running === undefined) await serve([], undefined)
    const { origin = '' } = running ?? {}
    const answer = await fetch(`${origin}/api/server/enroll`, {
      method: 'POST',
      headers: { Origin: origin },
      body: new URLSearchParams({ email, passphrase: phrase }),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(/role="alert"[^>]*>([^<]*)</.exec(text)?.[1])
  }
  const start = async (commands: readonly string[]) => {
    // A server that enrolled the account itself is connected without another start.
    if (running === undefined || commands.length > 0) await serve(commands, readAccount(folder, readKey(source, false)))
    await expect.poll(async () => (await clients())[0]?.connected, { timeout: 20_000 }).toBe(true)
  }
  const startAgain = async (): Promise<void> => {
    await stopServer()
    await attempt(() => start([]))
  }
  const clients = async (): Promise<readonly Listed[]> => {
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
  const ENROLLED = 'enroll an account'
  const allActions = async () => (await running?.store.actions(10)) ?? []
  const actions = async () => (await allActions()).filter(({ command }) => command !== ENROLLED)
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
        for (const change of [{ rules: [RESUMES], otherwise: 'fold' }, { otherwise: 'pause' }]) {
          const { revision } = await schedules()
          expect(await post('/api/server/schedules', { revision, schedules: [{ ...ALWAYS, ...change }] })).toBe(200)
          await expect.poll(async () => (await schedules()).subjects[0]?.condition, { timeout: 20_000 }).toBe('kept')
        }
      },
      'let others read the key': () => {
        chmodSync(join(folder, 'account.key'), 0o644)
        return startAgain()
      },
      'lose the key': () => {
        rmSync(join(folder, 'account.key'))
        return startAgain()
      },
    },
    sees: {
      unknown: () => expect(isEnrolled(folder)).toBe(false),
      refused: () => {
        expect(reasonOf()).toBe('Email or passphrase is wrong.')
        expect(isEnrolled(folder)).toBe(false)
      },
      enrolled: async () => {
        expect((await allActions()).map(({ command }) => command)).toEqual(where === 'page' ? [ENROLLED] : [])
        const path = accountPath(folder)
        const text = readFileSync(path, 'utf8')
        expect(statSync(path).mode & 0o777).toBe(0o600)
        expect(statSync(join(folder, 'account.key')).mode & 0o777).toBe(0o600)
        expect(text).not.toContain(passphrase)
        const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
        const everything = files.map(file => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n')
        expect(everything).not.toContain(passphrase)
        expect(logged.join('\n')).not.toContain(passphrase)
        expect(text).not.toContain(readAccount(folder, readKey(source, false)).privateKey.slice(0, 40))
      },
      exposed: () => expect(reasonOf()).toContain('can be read by others'),
      locked: () => expect(reasonOf()).toContain('Enroll again'),
      listed: async () =>
        expect(await clients()).toMatchObject([{ number: 1, name: simulated.client.name(), connected: true }]),
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
      await stopServer()
      rmSync(folder, { recursive: true })
    },
  }
}

describe.each(['terminal', 'page'] as const)('enrolling in a %s, in process', where => {
  for (const journey of simpleJourneysOf(enrollingModel))
    it(
      journey.title,
      async () => {
        const { driver, stop } = startDriver(where)
        await walkJourney(driver, journey)
        await stop()
      },
      60_000,
    )
})
