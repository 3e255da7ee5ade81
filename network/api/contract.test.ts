import { createServer, get } from 'node:http'
import { createPrivateKey, sign } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveSecrets, unwrapSecret } from '../../src/protocol/secrets.ts'
import { importAccountKeys, signText, verifyText } from '../../src/protocol/keys.ts'
import { catalogue } from '../catalogue.ts'
import { DEMO, ensureDemoAccount } from '../demo-account.ts'
import { generateRsaKey } from '../keys.ts'
import type { RsaKey } from '../keys.ts'
import { closeServer, listen } from '../listen.ts'
import { createAccount } from '../store/accounts.ts'
import { seedCatalogue } from '../store/catalogue.ts'
import { openStore } from '../store/store.ts'
import { createApi } from './app.ts'

/** What the API says, seen from outside by HTTP alone; the store is only used to have an account that is not verified. */
const PAGE = 'http://localhost:7400'
const secrets = await deriveSecrets(DEMO.email, DEMO.passphrase)
const problems: string[] = []
let base: string
let stop: () => Promise<void>

beforeAll(async () => {
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
  base = `http://127.0.0.1:${await listen(server, { what: 'a test', port: 0, option: '' })}`
  stop = async () => {
    await closeServer(server)
    await store.destroy()
  }
})

afterAll(async () => {
  await stop()
  expect(problems).toEqual([])
})

type Answer = { status: number; body: unknown; headers: Headers }
type Asked = { session?: string; json?: unknown; query?: Record<string, string>; headers?: Record<string, string> }

const ask = async (method: string, path: string, { session, json, query, headers = {} }: Asked = {}): Promise<Answer> => {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const response = await fetch(`${base}${path}${search}`, {
    method,
    headers: { ...headers, ...(session === undefined ? {} : { Authorization: session }), ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

const answer = async (...asked: Parameters<typeof ask>) => {
  const { status, body } = await ask(...asked)
  return { status, body }
}

const signIn = async (): Promise<string> => {
  const { body } = await ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })
  return (body as { id: string }).id
}

const accountOf = async (session: string): Promise<Record<string, unknown>> => (await ask('GET', '/account', { session })).body as Record<string, unknown>

const spaced = (name: string, token: string): string => `{"name": ${JSON.stringify(name)}, "token": ${JSON.stringify(token)}}`

const linkRequest = (key: RsaKey, name: string, token: string, signedText = spaced(name, token)) => ({
  data: { name, token },
  signature: sign('sha256', Buffer.from(signedText), key.privateKey).toString('base64url'),
  pubkey: key.publicKey,
})

test('sign-in gives a session, by an e-mail address in any case', async () => {
  const { status, body } = await ask('GET', '/login', { query: { email: DEMO.email.toUpperCase(), password: secrets.password } })

  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(/^[\w-]{43}$/) as unknown })
})

test.each([
  ['an unknown address', { email: 'nobody@foldboard.example', password: secrets.password }, 404, 'Account not found'],
  ['a wrong passphrase', { email: DEMO.email, password: Buffer.alloc(32).toString('base64') }, 401, 'Wrong email or passphrase'],
  ['an address that is not verified', { email: 'late@foldboard.example', password: secrets.password }, 409, 'Account not active'],
  ['no password', { email: DEMO.email }, 400, /^password: /],
])('sign-in with %s is refused', async (_what, query, status, text) => {
  const refused = await answer('GET', '/login', { query })

  expect(refused).toEqual({ status, body: { error: typeof text === 'string' ? text : expect.stringMatching(text) as unknown } })
})

test('a session ends with logout', async () => {
  const session = await signIn()
  expect((await ask('GET', '/account', { session })).status).toBe(200)
  expect(await answer('PUT', '/logout', { session })).toEqual({ status: 200, body: {} })

  expect(await answer('GET', '/account', { session })).toEqual({ status: 401, body: { error: 'Not signed in' } })
})

test.each([
  ['GET', '/account'], ['PUT', '/account'], ['GET', '/account/secret'], ['PUT', '/account/secret'],
  ['POST', '/account/token'], ['PUT', '/account/machines/x'], ['DELETE', '/account/machines/x'], ['PUT', '/logout'],
])('%s %s wants a session', async (method, path) => {
  expect(await answer(method, path, { session: 'made-up' })).toEqual({ status: 401, body: { error: 'Not signed in' } })
  expect(await answer(method, path)).toEqual({ status: 401, body: { error: 'Not signed in' } })
})

test('the account is told whole', async () => {
  const account = await accountOf(await signIn())

  expect(account).toEqual({
    id: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    email: DEMO.email,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
    user: 'Demo_Donor',
    team: 4_242,
    passkey: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    cause: 'any',
    avatar: '',
    node: '127.0.0.1:7402',
    token: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    pubkey: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) as unknown,
    config: {},
    machines: [],
    teams: [{ team: 4_242, name: 'Foldboard Friends', url: 'https://foldboard.example/', logo: '', wus: 1_871, score: 31_650_240 }],
  })
})

test('what is saved of an account is there again, and what is not sent stays', async () => {
  const session = await signIn()
  const before = await accountOf(session)
  const saved = await answer('PUT', '/account', { session, json: { ...before, user: 'Ada Fold', cause: 'Cancer', config: { dark: true, columns: ['Project'] }, email: 'new@x.example', token: 'mine' } })
  expect(saved).toEqual({ status: 200, body: {} })
  await ask('PUT', '/account', { session, json: { team: 7 } })

  expect(await accountOf(session)).toEqual({ ...before, user: 'Ada Fold', cause: 'cancer', team: 7, config: { dark: true, columns: ['Project'] } })
  await ask('PUT', '/account', { session, json: { config: '{"dark":false}' } })
  expect((await accountOf(session))['config']).toEqual({ dark: false })
  await ask('PUT', '/account', { session, json: before })
  expect(await accountOf(session)).toEqual(before)
})

test('an own node is kept until the network’s is chosen again', async () => {
  const session = await signIn()
  await ask('PUT', '/account', { session, json: { node: 'node9.example.org' } })
  expect((await accountOf(session))['node']).toBe('node9.example.org')
  await ask('PUT', '/account', { session, json: { node: '127.0.0.1:7402' } })

  expect((await accountOf(session))['node']).toBe('127.0.0.1:7402')
})

test.each([
  [{ user: 'x' }, 'user: User name must be empty or between 2 and 100 characters'],
  [{ user: '<b>bold</b>' }, 'user: User name cannot contain any of the following: <>;&: or tab'],
  [{ team: -1 }, 'team: Invalid team number'],
  [{ team: 1.5 }, 'team: Invalid team number'],
  [{ passkey: 'abc' }, 'passkey: Invalid passkey'],
  [{ avatar: 'javascript:alert(1)' }, 'avatar: The avatar is not an image'],
  [{ node: 'a b' }, 'node: Invalid node'],
  [{ config: [1] }, 'config: The config is not an object'],
  [{ config: '[1]' }, 'config: The config is not an object'],
])('the account is not saved with %j', async (json, error) => {
  const session = await signIn()
  const before = await accountOf(session)

  expect(await answer('PUT', '/account', { session, json })).toEqual({ status: 400, body: { error } })
  expect(await accountOf(session)).toEqual(before)
})

test('a body that is not JSON, or too large, is refused', async () => {
  const session = await signIn()

  expect(await answer('PUT', '/account', { session, json: '{"user":' })).toEqual({ status: 400, body: { error: 'The request body is not JSON' } })
  expect((await answer('PUT', '/account', { session, json: { user: 'x'.repeat(2_000_000) } })).status).toBe(413)
})

test('the secret opens with the passphrase and holds the key of the account', async () => {
  const session = await signIn()
  const { body } = await ask('GET', '/account/secret', { session, query: { password: secrets.password } })
  const opened = await unwrapSecret(secrets, (body as { secret: string }).secret)
  if (!opened.ok) throw new Error(opened.fault.kind)
  const { pubkey } = await accountOf(session)
  const keys = await importAccountKeys(opened.value, String(pubkey))

  expect(await verifyText(String(pubkey), await signText(keys.sign, 'folded'), 'folded')).toBe(true)
  expect(await answer('GET', '/account/secret', { session, query: { password: Buffer.alloc(32).toString('base64') } }))
    .toEqual({ status: 401, body: { error: 'Wrong passphrase' } })
})

test('a new secret changes key and password together', async () => {
  const session = await signIn()
  const before = await accountOf(session)
  const old = (await ask('GET', '/account/secret', { session, query: { password: secrets.password } })).body as { secret: string }
  const next = await deriveSecrets(DEMO.email, 'another passphrase')
  const { publicKey, id } = await generateRsaKey(1_024)
  expect((await answer('PUT', '/account/secret', { session, json: { pubkey: publicKey, password: next.password, secret: 'AAAA' } })).status).toBe(200)

  expect(await accountOf(session)).toEqual({ ...before, pubkey: publicKey, id })
  expect((await ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })).status).toBe(401)
  expect((await ask('GET', '/login', { query: { email: DEMO.email, password: next.password } })).status).toBe(200)
  await ask('PUT', '/account/secret', { session, json: { pubkey: before['pubkey'], password: secrets.password, secret: old.secret } })
  expect(await answer('PUT', '/account/secret', { session, json: { pubkey: 'AAAA', password: secrets.password, secret: 'AAAA' } }))
    .toEqual({ status: 400, body: { error: 'Invalid public key' } })
})

test('a machine links itself with the token, is asked for by its id, renamed and unlinked', async () => {
  const session = await signIn()
  const { token, pubkey } = await accountOf(session)
  const key = await generateRsaKey(1_024)
  expect(await answer('GET', `/machine/${key.id}`)).toEqual({ status: 404, body: { error: 'Machine not found' } })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'Küche 2', String(token)) })).toEqual({ status: 200, body: {} })
  expect((await accountOf(session))['machines']).toEqual([{ id: key.id, name: 'Küche 2' }])

  expect(await answer('PUT', `/account/machines/${key.id}`, { session, json: { name: 'kitchen' } })).toEqual({ status: 200, body: {} })
  expect(await answer('GET', `/machine/${key.id}`)).toEqual({
    status: 200,
    body: { pubkey, node: '127.0.0.1:7402', mach_name: 'kitchen', user: 'Demo_Donor', team: 4_242, passkey: expect.any(String) as unknown, cause: 'any' },
  })

  expect(await answer('DELETE', `/account/machines/${key.id}`, { session })).toEqual({ status: 200, body: {} })
  expect((await accountOf(session))['machines']).toEqual([])
  expect((await ask('GET', `/machine/${key.id}`)).status).toBe(404)
})

test('a machine is not linked by a wrong signature, another’s key or an unknown token', async () => {
  const session = await signIn()
  const token = String((await accountOf(session))['token'])
  const [key, other] = [await generateRsaKey(1_024), await generateRsaKey(1_024)]
  const compact = JSON.stringify({ name: 'den', token })

  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'den', token, compact) })).toEqual({ status: 401, body: { error: 'Invalid signature' } })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(other, 'den', token) })).toEqual({ status: 400, body: { error: 'The public key is not the key of this machine' } })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'den', 'made up') })).toEqual({ status: 404, body: { error: 'Account not found' } })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, '<den>', token) })).toEqual({ status: 400, body: { error: 'data.name: Invalid machine name' } })
  expect((await accountOf(session))['machines']).toEqual([])
})

test('a new token makes the old one useless; machines that are linked stay', async () => {
  const session = await signIn()
  const old = String((await accountOf(session))['token'])
  const [linked, late] = [await generateRsaKey(1_024), await generateRsaKey(1_024)]
  await ask('PUT', `/machine/${linked.id}`, { json: linkRequest(linked, 'attic', old) })
  const { token } = (await ask('POST', '/account/token', { session })).body as { token: string }

  expect(await accountOf(session)).toMatchObject({ token, machines: [{ id: linked.id, name: 'attic' }] })
  expect((await ask('PUT', `/machine/${late.id}`, { json: linkRequest(late, 'cellar', old) })).status).toBe(404)
  await ask('DELETE', `/account/machines/${linked.id}`, { session })
})

test.each(['<b>', '', 'a b', 'x'.repeat(65)])('a machine is not renamed to %j', async (name) => {
  const session = await signIn()

  expect(await answer('PUT', '/account/machines/any', { session, json: { name } })).toEqual({ status: 400, body: { error: 'name: Invalid machine name' } })
})

test('a machine of nobody cannot be renamed or unlinked', async () => {
  const session = await signIn()

  expect((await ask('PUT', '/account/machines/any', { session, json: { name: 'mine' } })).status).toBe(404)
  expect((await ask('DELETE', '/account/machines/any', { session })).status).toBe(404)
})

test('causes begin with the one that means none', async () => {
  const { status, body } = await ask('GET', '/project/cause')

  expect({ status, body }).toEqual({
    status: 200,
    body: ['unspecified', 'alzheimers', 'cancer', 'covid-19', 'diabetes', 'high-priority', 'huntingtons', 'influenza', 'parkinsons'],
  })
})

test('a project is described to everybody', async () => {
  const { status, body } = await ask('GET', '/project/18420')

  expect(status).toBe(200)
  expect(body).toEqual({
    id: 18_420, manager: 'mlindqvist', institution: 'Institute of Simulated Biophysics', cause: 'alzheimers', thumb: '', mthumb: '',
    description: expect.stringContaining('villin') as unknown, mdescription: expect.stringContaining('embedded network') as unknown,
  })
  expect(await answer('GET', '/project/1')).toEqual({ status: 404, body: { error: 'Project not found' } })
  expect(await answer('GET', '/project/villin')).toEqual({ status: 404, body: { error: 'Not found' } })
})

test('the newest client version is three numbers', async () => {
  expect((await answer('GET', '/release/latest.json')).body).toMatchObject([{ version: [8, 5, 7] }])
})

test('pages of known origins may call with credentials, and see the server’s clock', async () => {
  const asked = await ask('OPTIONS', '/account', { headers: { Origin: PAGE, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'authorization,content-type' } })
  expect(asked.status).toBe(204)
  expect(Object.fromEntries([...asked.headers].filter(([name]) => name.startsWith('access-control-')))).toEqual({
    'access-control-allow-origin': PAGE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, PUT, POST, DELETE',
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-expose-headers': 'Date',
    'access-control-max-age': '600',
  })
  const refused = await ask('GET', '/account', { headers: { Origin: PAGE } })

  expect({ status: refused.status, origin: refused.headers.get('Access-Control-Allow-Origin') }).toEqual({ status: 401, origin: PAGE })
})

test.each(['https://evil.example', 'http://localhost:7401', 'null', `${PAGE}.evil.example`])('a page of %s gets nothing, and what it asks is not done', async (origin) => {
  const session = await signIn()
  const refused = await ask('PUT', '/logout', { session, headers: { Origin: origin } })

  expect({ status: refused.status, body: refused.body, cors: refused.headers.get('Access-Control-Allow-Origin') }).toEqual({ status: 403, body: undefined, cors: null })
  expect((await ask('GET', '/account', { session })).status).toBe(200)
})

test.each([['evil.example', 403], ['evil.example:7401', 403], ['localhost', 200], ['127.0.0.1:7401', 200], ['[::1]:7401', 200]])('asked under the name %s it answers %i', async (host, status) => {
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    get(`${base}/project/cause`, { headers: { Host: host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

  expect(answered).toBe(status)
})

test('what does not exist is said in the API’s own way, and nothing personal is kept by caches', async () => {
  expect(await answer('GET', '/nothing')).toEqual({ status: 404, body: { error: 'Not found' } })
  expect((await ask('GET', '/account', { session: await signIn() })).headers.get('Cache-Control')).toBe('no-store')
  expect((await ask('GET', '/project/cause')).headers.get('Cache-Control')).toBe('public, max-age=3600')
})

test('the key that a machine signs with is readable as PKCS#8 wherever it is kept', async () => {
  const { privateKey, id } = await generateRsaKey(1_024)
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })

  expect(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).equals(privateKey)).toBe(true)
  expect(id).toMatch(/^[\w-]{43}$/)
})
