import { hash as argon2 } from '@node-rs/argon2'
import { pino } from 'pino'
import { beforeAll, expect } from 'vitest'
import { openTestSocket, type TestSocket } from './network/test-socket.ts'
import { hashSecret } from '../programs/server/access/passwords.ts'
import { readConfig } from '../programs/server/config/read-config.ts'
import { startService, type Service, type ServiceOptions } from '../programs/server/service.ts'
import { openServerStore } from '../programs/server/store/sqlite.ts'
import type { ServerStore } from '../programs/server/store/store.ts'
import { clientData, startScriptedClient, unitData } from './end-to-end/scripted-client.ts'
import { useDashboardFolder, useStopLater } from './stop-later.ts'

export const PASSWORD = 'a long enough password'
export const TOKENS = {
  read: 'r'.repeat(43),
  metrics: 'm'.repeat(43),
  control: 'c'.repeat(43),
  inputs: 'i'.repeat(43),
  old: 'o'.repeat(43),
}

export type StartedService = Service & {
  readonly store: ServerStore
  readonly origin: string
  readonly socketUrl: string
}

/** Servers with a database in memory, and their clients, which end with each test. */
export function useService() {
  let hash = ''
  const dist = useDashboardFolder()
  const stopLater = useStopLater()
  beforeAll(async () => {
    // A login takes less than with the hashes of `foldboard-server hash-password`.
    const salt = Buffer.from('salt of tests')
    hash = await argon2(PASSWORD, { salt, memoryCost: 64, timeCost: 1, parallelism: 1, outputLen: 32 })
  })
  return {
    stopLater,
    /** `text`: its settings. */
    start: async (text: string, options: Partial<ServiceOptions> = {}): Promise<StartedService> => {
      const read = readConfig({
        file: { path: 'test.toml', text: text.includes('[listen]') ? text : `${text}\n[listen]\nport = 0\n` },
      })
      if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
      const { store = await openServerStore(undefined) } = options
      const service = await startService({
        config: read.config,
        log: pino({ level: 'silent' }),
        dist,
        version: '0.0.0',
        random: () => 0,
        ...options,
        store,
      })
      const host = `127.0.0.1:${service.port}`
      return stopLater({ ...service, store, origin: `http://${host}`, socketUrl: `ws://${host}/api/websocket` })
    },
    client: async (data: object = clientData({ units: [unitData()] })) => stopLater(await startScriptedClient(data)),
    /** A user of each role, with the role as name. */
    people: () =>
      ['viewer', 'operator', 'administrator']
        .map(role => `[[users]]\nname = "${role}"\nrole = "${role}"\npassword = "${hash}"`)
        .join('\n'),
    openPage: async (
      service: StartedService,
      headers: Record<string, string> = {},
      path = '/api/websocket',
    ): Promise<TestSocket> => {
      const socket = await openTestSocket(service.socketUrl.replace('/api/websocket', path), {
        Origin: service.origin,
        ...headers,
      })
      stopLater({ stop: () => socket.drop() })
      return socket
    },
  }
}

/** The settings of a client. */
export function clientOf(
  { address: { host, port } }: { address: { host: string; port: number } },
  commands: readonly string[] = [],
) {
  return `[[machines]]\naddress = "${host}:${port}"\nname = "attic"\ncommands = ${JSON.stringify(commands)}`
}

/** A token of each scope, and one that has expired. */
export function programs() {
  return Object.entries(TOKENS)
    .map(
      ([name, token]) =>
        `[[tokens]]\nname = "${name}"\nhash = "${hashSecret(token)}"\nscopes = ["${name === 'old' ? 'control' : name}"]\nexpires = ${name === 'old' ? '2020-01-01' : '2999-01-01'}`,
    )
    .join('\n')
}

export async function untilConnected({ origin }: StartedService, headers: Record<string, string> = {}): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/api/server/machines`, { headers })
    const { machines: clients } = (await response.json()) as { machines: { connected: boolean }[] }
    if (clients.every(({ connected }) => connected)) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export async function signIn(
  { origin }: Pick<StartedService, 'origin'>,
  name: string,
  password = PASSWORD,
): Promise<string> {
  const response = await fetch(`${origin}/api/server/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ name, password, next: '/machines' }),
  })
  expect(response.status).toBe(303)
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^foldboard_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/)
  return cookie.split(';')[0] ?? ''
}

export async function stateOf(page: TestSocket) {
  return JSON.parse(await page.next(text => text.startsWith('{'))) as { info: { mach_name: string } }
}

/** Calls the HTTP API: with a body by POST. */
export async function callJson(service: StartedService, path: string, body?: object, cookie?: string) {
  const response = await fetch(`${service.origin}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { Origin: service.origin, ...(cookie === undefined ? {} : { Cookie: cookie }) },
  })
  return { status: response.status, json: (await response.json()) as unknown }
}
