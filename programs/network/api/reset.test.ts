import { afterAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { PAGE, secrets, startTestApi } from '../../../test/network/api.ts'
import { newRegistration } from '../../../test/network/new-registration.ts'

const api = await startTestApi()
const { ask, answer } = api

afterAll(() => api.stop())

async function requestReset(email: string): Promise<string> {
  expect(await answer('PUT', '/reset', { json: { email, url: `${PAGE}/reset` } })).toEqual({ status: 200, body: {} })
  const [mail] = await api.outbox()
  const { pathname, searchParams, origin } = new URL(mail?.link ?? '')
  expect({ origin, email: searchParams.get('email') }).toEqual({ origin: PAGE, email })
  return pathname.replace('/reset/', '')
}

test('a reset sets a new key and passphrase, ends all sessions, and works once', async () => {
  const session = await api.signIn()
  const before = await api.accountOf(session)
  const first = await requestReset(DEMO.email)
  const second = await requestReset(DEMO.email)
  const { keys, keyId, password } = await newRegistration(DEMO.email, 'the next passphrase')
  expect(await answer('PUT', `/reset/${second}`, { json: keys })).toEqual({ status: 200, body: {} })

  const over = { status: 404, body: { error: 'This reset token is unknown or was used already' } }
  expect(await answer('PUT', `/reset/${second}`, { json: keys })).toEqual(over)
  expect(await answer('PUT', `/reset/${first}`, { json: keys })).toEqual(over)
  expect((await ask('GET', '/account', { session })).status).toBe(401)
  expect((await ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })).status).toBe(401)
  const { id } = (await ask('GET', '/login', { query: { email: DEMO.email, password } })).body as { id: string }
  expect(await api.accountOf(id)).toEqual({ ...before, id: keyId, pubkey: keys.pubkey })
  expect((await ask('GET', '/account/secret', { session: id, query: { password } })).body).toEqual({
    secret: keys.secret,
  })
})

test('a reset also verifies the address', async () => {
  const email = 'late@foldboard.example'
  const token = await requestReset(email)
  const { keys, password } = await newRegistration(email, 'better late than never')
  await ask('PUT', `/reset/${token}`, { json: keys })

  expect((await ask('GET', '/login', { query: { email, password } })).status).toBe(200)
})

test('a reset token verifies nothing, and a wrong body does not use it up', async () => {
  const token = await requestReset(DEMO.email)
  const { keys } = await newRegistration(DEMO.email)

  expect((await ask('GET', `/verify/${token}`)).status).toBe(404)
  expect(await answer('PUT', `/reset/${token}`, { json: { ...keys, pubkey: 'AAAA' } })).toEqual({
    status: 400,
    body: { error: 'Invalid public key' },
  })
  expect((await ask('PUT', `/reset/${token}`, { json: keys })).status).toBe(200)
})

test.each([
  ['an unknown address', { email: 'nobody@foldboard.example', url: `${PAGE}/reset` }, 404, 'Account not found'],
  [
    'another’s page',
    { email: DEMO.email, url: 'https://evil.example/reset' },
    400,
    'url: Not a page of this dashboard',
  ],
  ['no page', { email: DEMO.email }, 400, /^url: /],
])('no email is sent for %s', async (_what, json, status, text) => {
  const before = await api.outbox()

  expect(await answer('PUT', '/reset', { json })).toEqual({
    status,
    body: { error: typeof text === 'string' ? text : (expect.stringMatching(text) as unknown) },
  })
  expect(await api.outbox()).toEqual(before)
})

test('the number of emails to one address is limited', async () => {
  const testApi = await startTestApi()
  const statuses: number[] = []
  for (let count = 0; count < 21; count++)
    statuses.push((await testApi.ask('PUT', '/reset', { json: { email: DEMO.email, url: PAGE } })).status)

  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  await testApi.stop()
})
