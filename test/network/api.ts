import { getRequestListener } from '@hono/node-server'
import { deriveSecrets } from '../../src/protocol/crypto/key-derivation.ts'
import { createApi } from '../../programs/network/api/app.ts'
import type { ApiServices } from '../../programs/network/api/context.ts'
import { catalog } from '../../programs/network/catalog.ts'
import { DEMO, ensureDemoAccount } from '../../programs/network/demo-account.ts'
import { generateRsaKey } from '../../programs/network/keys.ts'
import { openServer } from '../../programs/host/server.ts'
import { createAccount } from '../../programs/network/store/accounts.ts'
import { seedCatalog } from '../../programs/network/store/catalog.ts'
import { createOutbox } from '../../programs/network/mail/mail.ts'
import { createPopulation, savePopulation } from '../../programs/network/statistics/population.ts'
import { createSeriesSource } from '../../programs/network/statistics/series.ts'
import { createStandings } from '../../programs/network/statistics/standings.ts'
import { createSubscriptions } from '../../programs/network/statistics/subscriptions.ts'
import type { StoredEmail } from '../../programs/network/store/emails.ts'
import { openStore } from '../../programs/network/store/store.ts'
import type { Store } from '../../programs/network/store/store.ts'

/**
 * An API for tests, called over HTTP. The store is accessed directly only for what has no call, such as an unverified
 * account.
 */
export const PAGE = 'http://localhost:7400'
/** A Friday, 21:30. */
export const TEST_NOW = Date.UTC(2026, 10, 20, 21, 30)
const TEST_SEED = 5
export const secrets = await deriveSecrets(DEMO.email, DEMO.passphrase)

type Answer = { status: number; body: unknown; headers: Headers }
type Asked = { session?: string; json?: unknown; query?: Record<string, string>; headers?: Record<string, string> }
type Ask = (method: string, path: string, asked?: Asked) => Promise<Answer>

export type TestApi = {
  base: string
  ask: Ask
  /** The answer without headers, for comparisons. */
  answer: (...asked: Parameters<Ask>) => Promise<{ status: number; body: unknown }>
  signIn: () => Promise<string>
  accountOf: (session: string) => Promise<Record<string, unknown>>
  /** Stored emails, newest first. */
  outbox(): Promise<StoredEmail[]>
  /** To add credits, as a work server would. */
  store: Store
  /** Clients that must log in again. */
  dropped: readonly string[]
  announce(): Promise<void>
  /** Rejects if the API has reported an error. */
  stop(): Promise<void>
}

function askAt(base: string): Ask {
  return async (method, path, { session, json, query, headers = {} } = {}) => {
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
    const response = await fetch(`${base}${path}${search}`, {
      method,
      headers: {
        ...headers,
        ...(session === undefined ? {} : { Authorization: session }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }
}

export async function startTestApi(overrides: Partial<ApiServices> = {}): Promise<TestApi> {
  const problems: string[] = []
  const dropped: string[] = []
  const store = await openStore(undefined)
  await seedCatalog(store, catalog())
  await ensureDemoAccount(store, 2_048)
  const { id, publicKey } = await generateRsaKey(1_024)
  await createAccount(store, {
    email: 'late@foldboard.example',
    password: secrets.password,
    pubkey: publicKey,
    keyId: id,
    secret: '',
    user: '',
    team: 0,
    passkey: '',
    cause: 'any',
    verified: false,
  })
  const report = (line: string): void => {
    problems.push(line)
  }
  const population = createPopulation(TEST_SEED)
  await savePopulation(store, population)
  const now = (): number => TEST_NOW
  const api = createApi({
    store,
    nodeAddress: '127.0.0.1:7402',
    allowedOrigins: [PAGE],
    latestVersion: [8, 5, 7],
    report,
    now,
    seed: TEST_SEED,
    mail: createOutbox(store),
    standings: createStandings(store, population, now),
    onKeyRevoked: clients => {
      dropped.push(...clients)
    },
    ...overrides,
  })
  const answerHttp = getRequestListener(api.fetch)
  const subscriptions = createSubscriptions({
    series: createSeriesSource(store, population),
    allowedOrigins: [PAGE],
    now,
    report,
  })
  const server = await openServer({
    place: { what: 'a test', port: 0, option: '' },
    answer: answerHttp,
    upgrade: subscriptions.upgrade,
  })
  const base = `http://127.0.0.1:${server.port}`
  const ask = askAt(base)
  return {
    base,
    ask,
    answer: async (...asked) => {
      const { status, body } = await ask(...asked)
      return { status, body }
    },
    signIn: async () => {
      const { body } = await ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })
      return (body as { id: string }).id
    },
    accountOf: async session => (await ask('GET', '/account', { session })).body as Record<string, unknown>,
    outbox: async () => (await ask('GET', '/outbox.json')).body as StoredEmail[],
    store,
    dropped,
    announce: () => subscriptions.announce(),
    stop: async () => {
      subscriptions.stop()
      await server.close()
      await store.destroy()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}
