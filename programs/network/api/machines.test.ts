import { sign } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { generateRsaKey } from '../keys.ts'
import type { RsaKey } from '../keys.ts'
import { startTestApi } from '../../../test/network/api.ts'
import { newRegistration } from '../../../test/network/new-registration.ts'

const api = await startTestApi()
const { ask, answer, signIn, accountOf } = api

afterAll(() => api.stop())

function spaced(name: string, token: string): string {
  return `{"name": ${JSON.stringify(name)}, "token": ${JSON.stringify(token)}}`
}

function linkRequest(key: RsaKey, name: string, token: string, signedText = spaced(name, token)) {
  return {
    data: { name, token },
    signature: sign('sha256', Buffer.from(signedText), key.privateKey).toString('base64url'),
    pubkey: key.publicKey,
  }
}

test('a client is linked with the token, found by its id, renamed and unlinked', async () => {
  const session = await signIn()
  const { token, pubkey } = await accountOf(session)
  const key = await generateRsaKey(1_024)
  expect(await answer('GET', `/machine/${key.id}`)).toEqual({ status: 404, body: { error: 'Machine not found' } })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'Küche 2', String(token)) })).toEqual({
    status: 200,
    body: {},
  })
  expect((await accountOf(session))['machines']).toEqual([{ id: key.id, name: 'Küche 2' }])

  expect(await answer('PUT', `/account/machines/${key.id}`, { session, json: { name: 'kitchen' } })).toEqual({
    status: 200,
    body: {},
  })
  expect(await answer('GET', `/machine/${key.id}`)).toEqual({
    status: 200,
    body: {
      pubkey,
      node: '127.0.0.1:7402',
      mach_name: 'kitchen',
      user: 'Demo_Donor',
      team: 4_242,
      passkey: expect.any(String) as unknown,
      cause: 'any',
    },
  })

  expect(await answer('DELETE', `/account/machines/${key.id}`, { session })).toEqual({ status: 200, body: {} })
  expect((await accountOf(session))['machines']).toEqual([])
  expect((await ask('GET', `/machine/${key.id}`)).status).toBe(404)
})

test('a client is not linked by a wrong signature, another’s key or an unknown token', async () => {
  const session = await signIn()
  const token = String((await accountOf(session))['token'])
  const [key, other] = [await generateRsaKey(1_024), await generateRsaKey(1_024)]
  const compact = JSON.stringify({ name: 'den', token })

  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'den', token, compact) })).toEqual({
    status: 401,
    body: { error: 'Invalid signature' },
  })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(other, 'den', token) })).toEqual({
    status: 400,
    body: { error: 'The public key is not the key of this machine' },
  })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, 'den', 'made up') })).toEqual({
    status: 404,
    body: { error: 'Account not found' },
  })
  expect(await answer('PUT', `/machine/${key.id}`, { json: linkRequest(key, '<den>', token) })).toEqual({
    status: 400,
    body: { error: 'data.name: Invalid machine name' },
  })
  expect((await accountOf(session))['machines']).toEqual([])
})

test('a new token invalidates the old one; linked clients stay linked [6.4]', async () => {
  const session = await signIn()
  const old = String((await accountOf(session))['token'])
  const [linked, late] = [await generateRsaKey(1_024), await generateRsaKey(1_024)]
  await ask('PUT', `/machine/${linked.id}`, { json: linkRequest(linked, 'attic', old) })
  const { token } = (await ask('POST', '/account/token', { session })).body as { token: string }

  expect(await accountOf(session)).toMatchObject({ token, machines: [{ id: linked.id, name: 'attic' }] })
  expect((await ask('PUT', `/machine/${late.id}`, { json: linkRequest(late, 'cellar', old) })).status).toBe(404)
  await ask('DELETE', `/account/machines/${linked.id}`, { session })
})

test.each(['<b>', '', 'a b', 'x'.repeat(65)])('a client is not renamed to %j', async name => {
  const session = await signIn()

  expect(await answer('PUT', '/account/machines/any', { session, json: { name } })).toEqual({
    status: 400,
    body: { error: 'name: Invalid machine name' },
  })
})

test('an unlinked client cannot be renamed or unlinked', async () => {
  const session = await signIn()

  expect((await ask('PUT', '/account/machines/any', { session, json: { name: 'mine' } })).status).toBe(404)
  expect((await ask('DELETE', '/account/machines/any', { session })).status).toBe(404)
})

test.each([
  ['has another key', 'PUT', '/account/secret'],
  ['is deleted', 'DELETE', '/account'],
])('clients of an account that %s must log in at the relay again', async (_what, method, path) => {
  const testApi = await startTestApi()
  const session = await testApi.signIn()
  const { token } = await testApi.accountOf(session)
  const client = await generateRsaKey(1_024)
  await testApi.ask('PUT', `/machine/${client.id}`, { json: linkRequest(client, 'attic', String(token)) })
  const { keys } = await newRegistration('demo@foldboard.example')
  expect((await testApi.ask(method, path, { session, ...(method === 'PUT' ? { json: keys } : {}) })).status).toBe(200)

  expect(testApi.dropped).toEqual([client.id])
  expect((await testApi.ask('GET', `/machine/${client.id}`)).status).toBe(method === 'PUT' ? 200 : 404)
  await testApi.stop()
})
