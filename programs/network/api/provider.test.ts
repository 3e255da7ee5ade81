import { afterAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { PAGE, secrets, startTestApi } from '../../../test/network/api.ts'
import { newRegistration } from '../../../test/network/new-registration.ts'

const api = await startTestApi()
const { ask, answer } = api

afterAll(() => api.stop())

const NAMES = { demo: 'Demo Donor', robin: 'Robin Novak', kim: 'Kim Osei', stranger: 'Somebody New' } as const
const home = `${PAGE}/account?tab=1`

async function setOut(redirectUri = home): Promise<{ id: string; redirect: string }> {
  const { status, body } = await ask('GET', '/login/guild', { query: { redirect_uri: redirectUri } })
  expect(status).toBe(200)
  return body as { id: string; redirect: string }
}

/** Acts like a browser: opens the provider's page, follows the link with this name, and returns the redirect. */
async function choose(redirect: string, name: string): Promise<URL> {
  const text = await (await fetch(redirect)).text()
  const href = new RegExp(`<a href="([^"]+)">${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  if (href.startsWith('http')) return new URL(href)
  const response = await fetch(new URL(href, redirect), { redirect: 'manual' })
  expect(response.status).toBe(302)
  return new URL(response.headers.get('Location') ?? '')
}

function queryOf(url: URL): Record<string, string> {
  return Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'tab'))
}

async function comeBack(name: string): Promise<string> {
  const { id, redirect } = await setOut()
  const query = queryOf(await choose(redirect, name))
  expect(await answer('GET', '/login/guild', { session: id, query })).toEqual({ status: 200, body: { id } })
  return id
}

test('the owner of an account signs in with the provider, and decrypts the key with the passphrase', async () => {
  const { id, redirect } = await setOut()
  expect((await ask('GET', '/account', { session: id })).status).toBe(401)
  const back = await choose(redirect, NAMES.demo)
  expect(`${back.origin}${back.pathname} ${back.searchParams.get('tab') ?? ''}`).toBe(`${PAGE}/account 1`)
  expect(await answer('GET', '/login/guild', { session: id, query: queryOf(back) })).toEqual({
    status: 200,
    body: { id },
  })

  expect(await api.accountOf(id)).toMatchObject({
    email: DEMO.email,
    user: 'Demo_Donor',
    created: expect.any(String) as unknown,
  })
  expect((await ask('GET', '/account/secret', { session: id, query: { password: secrets.password } })).status).toBe(200)
  expect((await ask('GET', '/login/guild', { session: id, query: queryOf(back) })).status).toBe(404)
})

test('a new user has no account until it is registered, without an email', async () => {
  const session = await comeBack(NAMES.robin)
  expect(await api.accountOf(session)).toEqual({ email: 'robin@guild.example', user: 'Robin Novak', provider: 'guild' })
  expect(await answer('POST', '/account/token', { session })).toEqual({
    status: 409,
    body: { error: 'The account has not been made yet' },
  })
  const before = await api.outbox()
  const { body, keyId, password, email } = await newRegistration('robin@guild.example')
  expect(await answer('PUT', '/register', { session, json: body })).toEqual({ status: 200, body: {} })

  expect(await api.outbox()).toEqual(before)
  expect(await api.accountOf(session)).toMatchObject({ id: keyId, email, created: expect.any(String) as unknown })
  expect((await ask('GET', '/login', { query: { email, password } })).status).toBe(200)
})

test('each choice of the new user gives another one', async () => {
  const sessions = [await comeBack(NAMES.stranger), await comeBack(NAMES.stranger)]
  const emails = await Promise.all(sessions.map(async session => (await api.accountOf(session))['email']))

  expect(emails).toEqual([expect.stringMatching(/^new-[0-9a-f]{8}@guild\.example$/), expect.stringMatching(/^new-/)])
  expect(emails[0]).not.toBe(emails[1])
})

test('an account can also be created in two steps: first the profile, then the keys', async () => {
  const session = await comeBack(NAMES.kim)
  await ask('PUT', '/account', { session, json: { user: 'Kim_Folds', team: 4_242 } })
  expect(await api.accountOf(session)).toEqual({
    email: 'kim@guild.example',
    user: 'Kim_Folds',
    team: 4_242,
    provider: 'guild',
  })
  const { keys, keyId } = await newRegistration('kim@guild.example')
  expect(await answer('PUT', '/account/secret', { session, json: keys })).toEqual({ status: 200, body: {} })

  expect(await api.accountOf(session)).toMatchObject({
    id: keyId,
    email: 'kim@guild.example',
    user: 'Kim_Folds',
    team: 4_242,
  })
})

test('an unverified account is replaced when the provider confirms its address', async () => {
  const testApi = await startTestApi()
  const squatter = await newRegistration('robin@guild.example', 'planted in advance')
  expect((await testApi.ask('PUT', '/register', { json: squatter.body })).status).toBe(200)
  const { id, redirect } = (await testApi.ask('GET', '/login/guild', { query: { redirect_uri: home } })).body as {
    id: string
    redirect: string
  }
  await testApi.ask('GET', '/login/guild', { session: id, query: queryOf(await choose(redirect, NAMES.robin)) })
  expect(await testApi.accountOf(id)).not.toHaveProperty('created')
  const owner = await newRegistration('robin@guild.example')
  expect((await testApi.ask('PUT', '/register', { session: id, json: owner.body })).status).toBe(200)

  expect(
    (await testApi.ask('GET', '/login', { query: { email: squatter.email, password: squatter.password } })).status,
  ).toBe(401)
  expect((await testApi.accountOf(id))['id']).toBe(owner.keyId)
  await testApi.stop()
})

test('a confirmed address registers no other', async () => {
  const testApi = await startTestApi()
  const { id, redirect } = (await testApi.ask('GET', '/login/guild', { query: { redirect_uri: home } })).body as {
    id: string
    redirect: string
  }
  await testApi.ask('GET', '/login/guild', { session: id, query: queryOf(await choose(redirect, NAMES.kim)) })
  const other = await newRegistration('somebody@else.example')
  await testApi.ask('PUT', '/register', { session: id, json: other.body })

  expect(await testApi.answer('GET', '/login', { query: { email: other.email, password: other.password } })).toEqual({
    status: 409,
    body: { error: 'Account not active' },
  })
  await testApi.stop()
})

test('canceling redirects with an error and ends the sign-in', async () => {
  const { id, redirect } = await setOut()
  const back = await choose(redirect, 'Cancel')
  expect(queryOf(back)).toEqual({ state: expect.any(String) as unknown, error: 'access_denied' })

  expect(await answer('GET', '/login/guild', { session: id, query: queryOf(back) })).toEqual({
    status: 401,
    body: { error: 'The provider did not confirm who you are' },
  })
  expect((await fetch(redirect)).status).toBe(404)
})

test('a sign-in cannot be completed by another browser or with a wrong code', async () => {
  const { id, redirect } = await setOut()
  const other = await setOut()
  const query = queryOf(await choose(redirect, NAMES.demo))

  expect(await answer('GET', '/login/guild', { session: other.id, query })).toEqual({
    status: 401,
    body: { error: 'This sign-in was started in another browser' },
  })
  expect((await ask('GET', '/login/guild', { query })).status).toBe(401)
  expect((await ask('GET', '/login/guild', { session: id, query: { ...query, code: 'made up' } })).status).toBe(401)
  expect((await ask('GET', '/account', { session: id })).status).toBe(401)
})

test.each([
  ['another site', { redirect_uri: 'https://evil.example/' }, 400, 'redirect_uri: Not a page of this dashboard'],
  ['nowhere', {}, 400, 'redirect_uri: Not a page of this dashboard'],
  ['an unknown state', { state: 'made up', code: 'x' }, 404, 'This sign-in has expired: please start again'],
])('sign-in that leads to %s is refused', async (_what, query, status, error) => {
  expect(await answer('GET', '/login/guild', { query })).toEqual({ status, body: { error } })
})

test('other providers are unknown', async () => {
  expect(await answer('GET', '/login/nobody', { query: { redirect_uri: home } })).toEqual({
    status: 404,
    body: { error: 'Unknown provider' },
  })
})

test('a guest can sign out', async () => {
  const testApi = await startTestApi()
  const { id, redirect } = (await testApi.ask('GET', '/login/guild', { query: { redirect_uri: home } })).body as {
    id: string
    redirect: string
  }
  await testApi.ask('GET', '/login/guild', { session: id, query: queryOf(await choose(redirect, NAMES.kim)) })
  expect(await testApi.answer('PUT', '/logout', { session: id })).toEqual({ status: 200, body: {} })

  expect((await testApi.ask('GET', '/account', { session: id })).status).toBe(401)
  await testApi.stop()
})
