import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { deriveSecrets } from '../../src/protocol/secrets.ts'
import { createApi } from '../api/app.ts'
import { catalogue } from '../catalogue.ts'
import { DEMO, ensureDemoAccount } from '../demo-account.ts'
import { generateRsaKey } from '../keys.ts'
import { closeServer, listen } from '../listen.ts'
import { createAccount } from '../store/accounts.ts'
import { seedCatalogue } from '../store/catalogue.ts'
import { openStore } from '../store/store.ts'

/** An API of its own for a test, asked over HTTP; the store is touched only to have an account that is not verified. */
export const PAGE = 'http://localhost:7400'
export const secrets = await deriveSecrets(DEMO.email, DEMO.passphrase)

type Answer = { status: number; body: unknown; headers: Headers }
type Asked = { session?: string; json?: unknown; query?: Record<string, string>; headers?: Record<string, string> }
type Ask = (method: string, path: string, asked?: Asked) => Promise<Answer>

export type TestApi = {
  base: string
  ask: Ask
  /** Without headers, to be compared whole. */
  answer(...asked: Parameters<Ask>): Promise<{ status: number; body: unknown }>
  signIn(): Promise<string>
  accountOf(session: string): Promise<Record<string, unknown>>
  /** Also fails when the API had to say 'Internal server error'. */
  stop(): Promise<void>
}

const askAt = (base: string): Ask => async (method, path, { session, json, query, headers = {} } = {}) => {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const response = await fetch(`${base}${path}${search}`, {
    method,
    headers: { ...headers, ...(session === undefined ? {} : { Authorization: session }), ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

export const startTestApi = async (): Promise<TestApi> => {
  const problems: string[] = []
  const store = await openStore(undefined)
  await seedCatalogue(store, catalogue)
  await ensureDemoAccount(store, 2_048)
  const { id, publicKey } = await generateRsaKey(1_024)
  await createAccount(store, { email: 'late@foldboard.example', password: secrets.password, pubkey: publicKey, keyId: id, secret: '', user: '', team: 0, passkey: '', cause: 'any', verified: false })
  const api = createApi({
    store, nodeAddress: '127.0.0.1:7402', allowedOrigins: [PAGE], latestVersion: [8, 5, 7], report: (line) => { problems.push(line) },
  })
  const answerHttp = getRequestListener(api.fetch)
  const server = createServer((request, response) => { void answerHttp(request, response) })
  const base = `http://127.0.0.1:${await listen(server, { what: 'a test', port: 0, option: '' })}`
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
    accountOf: async (session) => (await ask('GET', '/account', { session })).body as Record<string, unknown>,
    stop: async () => {
      await closeServer(server)
      await store.destroy()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}
