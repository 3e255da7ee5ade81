import { afterAll, expect, test } from 'vitest'
import { deriveSecrets, unwrapSecret } from '../../../src/protocol/crypto/key-derivation.ts'
import { importAccountKeys, signText, verifyText } from '../../../src/protocol/crypto/keys.ts'
import { DEMO } from '../demo-account.ts'
import { generateRsaKey } from '../keys.ts'
import { secrets, startTestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask, answer, signIn, accountOf } = api

afterAll(() => api.stop())

test('the account is returned in full', async () => {
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
    config: { columns: ['Project', 'Type', 'Status', 'Progress', 'PPD'], compact: false, wide: false },
    machines: [],
    teams: [
      {
        team: 4_242,
        name: 'Foldboard Friends',
        url: 'https://foldboard.example/',
        logo: '',
        wus: expect.any(Number) as unknown,
        score: expect.any(Number) as unknown,
      },
      { team: 4_243, name: 'Night Shift', url: '', logo: '', wus: 0, score: 0 },
    ],
  })
})

test('saved fields of an account are returned, and other fields are kept', async () => {
  const session = await signIn()
  const before = await accountOf(session)
  const saved = await answer('PUT', '/account', {
    session,
    json: {
      ...before,
      user: 'Ada Fold',
      cause: 'Cancer',
      config: { dark: true, columns: ['Project'] },
      email: 'new@x.example',
      token: 'mine',
    },
  })
  expect(saved).toEqual({ status: 200, body: {} })
  await ask('PUT', '/account', { session, json: { team: 7 } })

  expect(await accountOf(session)).toEqual({
    ...before,
    user: 'Ada Fold',
    cause: 'cancer',
    team: 7,
    config: { dark: true, columns: ['Project'] },
  })
  await ask('PUT', '/account', { session, json: { config: '{"dark":false}' } })
  expect((await accountOf(session))['config']).toEqual({ dark: false })
  await ask('PUT', '/account', { session, json: before })
  expect(await accountOf(session)).toEqual(before)
})

test('another node is stored until the network’s own is chosen again', async () => {
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

  expect(await answer('PUT', '/account', { session, json: '{"user":' })).toEqual({
    status: 400,
    body: { error: 'The request body is not JSON' },
  })
  expect((await answer('PUT', '/account', { session, json: { user: 'x'.repeat(2_000_000) } })).status).toBe(413)
})

test('the secret is decrypted with the passphrase and contains the key of the account', async () => {
  const session = await signIn()
  const { body } = await ask('GET', '/account/secret', { session, query: { password: secrets.password } })
  const opened = await unwrapSecret(secrets, (body as { secret: string }).secret)
  if (!opened.ok) throw new Error(opened.fault.kind)
  const { pubkey } = await accountOf(session)
  const keys = await importAccountKeys(opened.value, String(pubkey))

  expect(await verifyText(String(pubkey), await signText(keys.sign, 'folded'), 'folded')).toBe(true)
  expect(
    await answer('GET', '/account/secret', { session, query: { password: Buffer.alloc(32).toString('base64') } }),
  ).toEqual({ status: 401, body: { error: 'Wrong passphrase' } })
})

test('a new secret changes key and password together', async () => {
  const session = await signIn()
  const before = await accountOf(session)
  const old = (await ask('GET', '/account/secret', { session, query: { password: secrets.password } })).body as {
    secret: string
  }
  const next = await deriveSecrets(DEMO.email, 'another passphrase')
  const { publicKey, id } = await generateRsaKey(1_024)
  expect(
    (
      await answer('PUT', '/account/secret', {
        session,
        json: { pubkey: publicKey, password: next.password, secret: 'AAAA' },
      })
    ).status,
  ).toBe(200)

  expect(await accountOf(session)).toEqual({ ...before, pubkey: publicKey, id })
  expect((await ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })).status).toBe(401)
  expect((await ask('GET', '/login', { query: { email: DEMO.email, password: next.password } })).status).toBe(200)
  await ask('PUT', '/account/secret', {
    session,
    json: { pubkey: before['pubkey'], password: secrets.password, secret: old.secret },
  })
  expect(
    await answer('PUT', '/account/secret', {
      session,
      json: { pubkey: 'AAAA', password: secrets.password, secret: 'AAAA' },
    }),
  ).toEqual({ status: 400, body: { error: 'Invalid public key' } })
})

test('deleting an account deletes its sessions, links and empty teams; teams with points stay', async () => {
  const testApi = await startTestApi()
  const [session, other] = [await testApi.signIn(), await testApi.signIn()]
  expect(await testApi.answer('DELETE', '/account', { session })).toEqual({ status: 200, body: {} })

  expect((await testApi.ask('GET', '/account', { session })).status).toBe(401)
  expect((await testApi.ask('GET', '/account', { session: other })).status).toBe(401)
  expect(
    (await testApi.ask('GET', '/login', { query: { email: DEMO.email, password: secrets.password } })).status,
  ).toBe(404)
  expect((await testApi.ask('GET', '/team/4242')).status).toBe(200)
  expect((await testApi.ask('GET', '/team/4243')).status).toBe(404)
  await testApi.stop()
})
