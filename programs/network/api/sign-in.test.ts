import { get } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { PAGE, secrets, startTestApi } from '../../../test/network/api.ts'
import type { TestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask, answer, signIn } = api

afterAll(() => api.stop())

test('sign-in gives a session, by an email address in any case', async () => {
  const { status, body } = await ask('GET', '/login', {
    query: { email: DEMO.email.toUpperCase(), password: secrets.password },
  })

  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(/^[\w-]{43}$/) as unknown })
})

test.each([
  ['an unknown address', { email: 'nobody@foldboard.example', password: secrets.password }, 404, 'Account not found'],
  [
    'a wrong passphrase',
    { email: DEMO.email, password: Buffer.alloc(32).toString('base64') },
    401,
    'Wrong email or passphrase',
  ],
  [
    'an address that is not verified',
    { email: 'late@foldboard.example', password: secrets.password },
    409,
    'Account not active',
  ],
  ['no password', { email: DEMO.email }, 400, /^password: /],
])('sign-in with %s is refused', async (_what, query, status, text) => {
  const refused = await answer('GET', '/login', { query })

  expect(refused).toEqual({
    status,
    body: { error: typeof text === 'string' ? text : (expect.stringMatching(text) as unknown) },
  })
})

test('after ten failures further attempts for this address, and no other, must wait', async () => {
  const testApi = await startTestApi()
  const attempt = (email: string, password: string): ReturnType<TestApi['ask']> =>
    testApi.ask('GET', '/login', { query: { email, password } })
  const wrong = Buffer.alloc(32).toString('base64')
  for (let count = 0; count < 10; count++) expect((await attempt(DEMO.email, wrong)).status).toBe(401)
  const refused = await attempt(DEMO.email.toUpperCase(), secrets.password)

  expect({ status: refused.status, body: refused.body, wait: refused.headers.get('Retry-After') }).toEqual({
    status: 429,
    body: { error: 'Too many attempts: please wait 60 seconds' },
    wait: '60',
  })
  expect((await attempt('late@foldboard.example', secrets.password)).status).toBe(409)
  await testApi.stop()
})

test('requests embedded in other pages do not lock the account', async () => {
  const testApi = await startTestApi()
  const wrong = Buffer.alloc(32).toString('base64')
  // With node:http, since `fetch` sets these headers itself.
  const attempt = (headers: Record<string, string>, password = wrong): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const query = new URLSearchParams({ email: DEMO.email, password }).toString()
      get(`${testApi.base}/login?${query}`, { headers }, response => {
        response.resume()
        resolve(response.statusCode)
      }).on('error', reject)
    })
  for (let count = 0; count < 12; count++) {
    // An image; a link; a browser without Sec-Fetch headers; a call with an Origin.
    expect(await attempt({ 'Sec-Fetch-Mode': 'no-cors' })).toBe(403)
    expect(await attempt({ 'Sec-Fetch-Mode': 'navigate' })).toBe(403)
    expect(await attempt({})).toBe(count < 10 ? 401 : 429)
    expect(await attempt({ Origin: 'https://evil.example' })).toBe(403)
  }

  expect(await attempt({ Origin: PAGE, 'Sec-Fetch-Mode': 'cors' }, secrets.password)).toBe(200)
  await testApi.stop()
})

test('a sign-in resets the count of failures', async () => {
  const testApi = await startTestApi()
  const attempt = async (password: string): Promise<number> =>
    (await testApi.ask('GET', '/login', { query: { email: DEMO.email, password } })).status
  for (let count = 0; count < 3; count++) {
    for (let failure = 0; failure < 9; failure++) expect(await attempt(Buffer.alloc(32).toString('base64'))).toBe(401)
    expect(await attempt(secrets.password)).toBe(200)
  }
  await testApi.stop()
})

test('a session ends with logout', async () => {
  const session = await signIn()
  expect((await ask('GET', '/account', { session })).status).toBe(200)
  expect(await answer('PUT', '/logout', { session })).toEqual({ status: 200, body: {} })

  expect(await answer('GET', '/account', { session })).toEqual({ status: 401, body: { error: 'Not signed in' } })
})

test.each([
  ['GET', '/account'],
  ['PUT', '/account'],
  ['GET', '/account/secret'],
  ['PUT', '/account/secret'],
  ['POST', '/account/token'],
  ['DELETE', '/account'],
  ['PUT', '/account/machines/x'],
  ['DELETE', '/account/machines/x'],
  ['POST', '/account/teams'],
  ['PUT', '/account/teams/4242'],
  ['DELETE', '/account/teams/4242'],
  ['PUT', '/logout'],
])('%s %s requires a session', async (method, path) => {
  expect(await answer(method, path, { session: 'made-up' })).toEqual({ status: 401, body: { error: 'Not signed in' } })
  expect(await answer(method, path)).toEqual({ status: 401, body: { error: 'Not signed in' } })
})
