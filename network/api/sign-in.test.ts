import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { secrets, startTestApi } from '../testing/api.ts'
import type { TestApi } from '../testing/api.ts'

let api: TestApi

beforeAll(async () => { api = await startTestApi() })
afterAll(() => api.stop())

const ask: TestApi['ask'] = (...asked) => api.ask(...asked)
const answer: TestApi['answer'] = (...asked) => api.answer(...asked)
const signIn = (): Promise<string> => api.signIn()

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
