import { afterAll, expect, test } from 'vitest'
import { DEMO } from '../demo-account.ts'
import { PAGE, startTestApi } from '../testing/api.ts'
import { newRegistration } from '../testing/new-registration.ts'

const api = await startTestApi()
const { ask, answer } = api

afterAll(() => api.stop())

const tokenFor = async (email: string): Promise<string> => {
  const letter = (await api.outbox()).find(({ to }) => to === email)
  return /\/verify\/([\w-]+)$/.exec(letter?.link ?? '')?.[1] ?? ''
}

test('from registration by way of the letter to the first sign-in', async () => {
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

  const [letter] = await api.outbox()
  expect(letter).toEqual({
    id: expect.any(Number) as unknown,
    to: email,
    subject: 'Confirm your e-mail address',
    sent: expect.stringMatching(/Z$/) as unknown,
    link: expect.stringMatching(new RegExp(`^${PAGE}/verify/[\\w-]{32}$`)) as unknown,
    text: expect.stringContaining(letter?.link ?? 'no letter') as unknown,
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

test('an address that has an account, in whatever case, or waits for its letter, is not registered again', async () => {
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

test('of two registrations at the same moment one wins', async () => {
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

test('a team may come as the digits that were typed; user, team and passkey may be left out', async () => {
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
])('nobody is registered with %j', async (wrong, error) => {
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
])('no letter leads to %j', async verifyUrl => {
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
])('a letter for the page %s leads to %s', async (verifyUrl, prefix) => {
  const email = `page-${encodeURIComponent(verifyUrl).replaceAll('%', '')}@foldboard.example`
  const { body } = await newRegistration(email)
  expect((await ask('PUT', '/register', { json: { ...body, verify_url: verifyUrl } })).status).toBe(200)
  const [letter] = await api.outbox()

  expect(letter?.link.slice(0, -32)).toBe(prefix)
})

test('a token that nobody was sent verifies nobody', async () => {
  expect((await ask('GET', '/verify/made-up')).status).toBe(404)
})

test('the outbox is a page with working links, and shows whatever was typed as text', async () => {
  const { body } = await newRegistration('"<b>bold</b>"@foldboard.example')
  expect((await ask('PUT', '/register', { json: body })).status).toBe(200)
  const [letter] = await api.outbox()
  const response = await fetch(`${api.base}/outbox`)
  const text = await response.text()

  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/)
  expect(text).toContain(`<a href="${letter?.link ?? 'no letter'}">`)
  expect(text).toContain('&lt;b&gt;bold&lt;/b&gt;')
  expect(text).not.toContain('<b>bold')
})

test('when no letter can be sent there is no account either, and nothing is kept', async () => {
  const lines: string[] = []
  const mail = {
    send: () => Promise.reject(new Error('connection refused')),
    outbox: undefined,
    close: () => undefined,
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
    body: { error: 'The e-mail could not be sent' },
  })
  expect(await mute.answer('GET', '/login', { query: { email, password } })).toEqual({
    status: 404,
    body: { error: 'Account not found' },
  })
  expect((await mute.ask('GET', '/outbox.json')).status).toBe(404)
  expect(lines).toEqual(['A letter could not be sent: connection refused'])
  await mute.stop()
})
