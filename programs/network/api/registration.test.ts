import { afterAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { PAGE, startTestApi } from '../../../test/network/api.ts'
import { newRegistration } from '../../../test/network/new-registration.ts'

const api = await startTestApi()
const { ask, answer } = api

afterAll(() => api.stop())

async function tokenFor(email: string): Promise<string> {
  const mail = (await api.outbox()).find(({ to }) => to === email)
  return /\/verify\/([\w-]+)$/.exec(mail?.link ?? '')?.[1] ?? ''
}

test('registration, verification by email and first sign-in', async () => {
  const email = 'ada@foldboard.example'
  const { body, password, keys, keyId } = await newRegistration(email)
  const passkey = '0123456789abcdef0123456789abcdef'
  const avatar = 'data:image/webp;base64,AAAA'
  expect(await answer('PUT', '/register', { json: { ...body, passkey, avatar, node: '127.0.0.1:7402' } })).toEqual({
    status: 200,
    body: {},
  })
  expect(await answer('GET', '/login', { query: { email, password } })).toEqual({
    status: 409,
    body: { error: 'Account not active' },
  })

  const [mail] = await api.outbox()
  expect(mail).toEqual({
    id: expect.any(Number) as unknown,
    to: email,
    subject: 'Confirm your email address',
    sent: expect.stringMatching(/Z$/) as unknown,
    link: expect.stringMatching(new RegExp(`^${PAGE}/verify/[\\w-]{32}$`)) as unknown,
    text: expect.stringContaining(mail?.link ?? 'no email') as unknown,
  })
  const token = await tokenFor(email)
  expect(await answer('GET', `/verify/${token}`)).toEqual({ status: 200, body: {} })
  expect(await answer('GET', `/verify/${token}`)).toEqual({
    status: 404,
    body: { error: 'This verification token is unknown or was used already' },
  })

  const { id: session } = (await ask('GET', '/login', { query: { email, password } })).body as { id: string }
  expect(await api.accountOf(session)).toMatchObject({
    id: keyId,
    email,
    user: 'New_Folder',
    team: 4_242,
    passkey,
    avatar,
    cause: 'any',
    node: '127.0.0.1:7402',
    pubkey: keys.pubkey,
    config: {},
    machines: [],
    teams: [],
  })
  expect((await ask('GET', '/account/secret', { session, query: { password } })).body).toEqual({ secret: keys.secret })
})

test('an address with a verified or unverified account, in any case, cannot be registered again', async () => {
  const demo = await newRegistration(DEMO.email.toUpperCase())
  const late = await newRegistration('late@foldboard.example')

  expect(await answer('PUT', '/register', { json: demo.body })).toEqual({
    status: 409,
    body: { error: 'Account exists' },
  })
  expect(await answer('PUT', '/register', { json: late.body })).toEqual({
    status: 409,
    body: { error: 'Account exists' },
  })
})

test('of two simultaneous registrations one succeeds', async () => {
  const { body } = await newRegistration('twice@foldboard.example')
  const answers = await Promise.all([1, 2, 3].map(() => answer('PUT', '/register', { json: body })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('a key belongs to one account', async () => {
  const { body } = await newRegistration('first@foldboard.example')
  await ask('PUT', '/register', { json: body })

  expect(await answer('PUT', '/register', { json: { ...body, email: 'second@foldboard.example' } })).toEqual({
    status: 409,
    body: { error: 'This key belongs to another account' },
  })
})

test('a team may be sent as digits; user, team and passkey are optional', async () => {
  const typed = await newRegistration('typed@foldboard.example')
  const bare = await newRegistration('bare@foldboard.example')

  expect((await ask('PUT', '/register', { json: { ...typed.body, team: '0042' } })).status).toBe(200)
  expect(
    (await ask('PUT', '/register', { json: { email: bare.email, ...bare.keys, verify_url: `${PAGE}/` } })).status,
  ).toBe(200)
})

test.each([
  [{ email: 'no address' }, 'email: Invalid email address'],
  [{ user: 'x' }, 'user: User name must be empty or between 2 and 100 characters'],
  [{ user: 'a;b' }, 'user: User name cannot contain any of the following: <>;&: or tab'],
  [{ team: 'two' }, 'team: Invalid team number'],
  [{ passkey: '0123' }, 'passkey: Invalid passkey'],
  [{ password: 'plain' }, 'password: Invalid password hash'],
  [{ pubkey: 'AAAA' }, 'Invalid public key'],
  [{ secret: '<>' }, 'secret: The secret is not base64'],
  [{ avatar: 'https://elsewhere.example/a.png' }, 'avatar: The avatar is not an image'],
])('no account is registered with %j', async (wrong, error) => {
  const { body } = await newRegistration('wrong@foldboard.example')

  expect(await answer('PUT', '/register', { json: { ...body, ...wrong } })).toEqual({ status: 400, body: { error } })
  expect(await tokenFor('wrong@foldboard.example')).toBe('')
})

test.each([
  'https://evil.example/verify',
  `${PAGE}.evil.example/verify`,
  'http://localhost:7400@evil.example/',
  'http://user:word@localhost:7400/verify',
  'javascript:alert(1)',
  '/verify',
  '',
  '//evil.example/verify',
])('no email leads to %j', async verifyUrl => {
  const { body } = await newRegistration('led-astray@foldboard.example')

  expect(await answer('PUT', '/register', { json: { ...body, verify_url: verifyUrl } })).toEqual({
    status: 400,
    body: { error: 'verify_url: Not a page of this dashboard' },
  })
  expect(await tokenFor('led-astray@foldboard.example')).toBe('')
})

test.each([
  [PAGE, `${PAGE}/verify/`],
  [`${PAGE}/`, `${PAGE}/verify/`],
  [`${PAGE}/verify/`, `${PAGE}/verify/`],
  [`${PAGE}/board/verify?x=1#y`, `${PAGE}/board/verify/`],
])('an email for the page %s leads to %s', async (verifyUrl, prefix) => {
  const email = `page-${encodeURIComponent(verifyUrl).replaceAll('%', '')}@foldboard.example`
  const { body } = await newRegistration(email)
  expect((await ask('PUT', '/register', { json: { ...body, verify_url: verifyUrl } })).status).toBe(200)
  const [mail] = await api.outbox()

  expect(mail?.link.slice(0, -32)).toBe(prefix)
})

test('an unknown token verifies nothing', async () => {
  expect((await ask('GET', '/verify/made-up')).status).toBe(404)
})

test('the outbox is a page with working links and escaped texts', async () => {
  const { body } = await newRegistration('"<b>bold</b>"@foldboard.example')
  expect((await ask('PUT', '/register', { json: body })).status).toBe(200)
  const [mail] = await api.outbox()
  const response = await fetch(`${api.base}/outbox`)
  const text = await response.text()

  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/)
  expect(text).toContain(`<a href="${mail?.link ?? 'no email'}">`)
  expect(text).toContain('&lt;b&gt;bold&lt;/b&gt;')
  expect(text).not.toContain('<b>bold')
})

test('if the email cannot be sent, no account is created', async () => {
  const lines: string[] = []
  const mail = {
    send: () => Promise.reject(new Error('connection refused')),
    outbox: () => Promise.resolve([]),
  }
  const mute = await startTestApi({
    mail,
    report: line => {
      lines.push(line)
    },
  })
  const { body, email, password } = await newRegistration('unreached@foldboard.example')

  expect(await mute.answer('PUT', '/register', { json: body })).toEqual({
    status: 502,
    body: { error: 'The email could not be sent' },
  })
  expect(await mute.answer('GET', '/login', { query: { email, password } })).toEqual({
    status: 404,
    body: { error: 'Account not found' },
  })
  expect(lines).toEqual(['An email could not be sent: connection refused'])
  await mute.stop()
})
