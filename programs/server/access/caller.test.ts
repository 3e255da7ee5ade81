import { hash as argon2 } from '@node-rs/argon2'
import { describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { configSchema } from '../config/schema.ts'
import { createAccess } from './access.ts'
import { networkOf, type Caller } from './caller.ts'
import { hashSecret } from './passwords.ts'
import type { SessionStore, StoredSession } from './session-store.ts'

/** Hashes that passwords were compared with. */
const verified = vi.hoisted((): string[] => [])
vi.mock(import('@node-rs/argon2'), async original => {
  const actual = await original()
  return {
    ...actual,
    verify: (hash, ...others) => {
      verified.push(String(hash))
      return actual.verify(hash, ...others)
    },
  }
})

function cheapHash(password: string, change: { timeCost?: number; salt?: Uint8Array } = {}): Promise<string> {
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1, outputLen: 16, salt: Buffer.from(password.padEnd(8, 'x')) }
  return argon2(password, { ...cost, ...change })
}

const noSessions: SessionStore = {
  find: () => Promise.resolve(undefined),
  add: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}

test.each([
  ['192.168.1.5', '192.168.1.5'],
  ['192.168.1.5:4711', '192.168.1.5'],
  ['::ffff:192.168.1.5', '192.168.1.5'],
  ['::FFFF:192.168.1.5', '192.168.1.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::1', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['1::2:3:4:5:6:7', '1:0:2:3'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['not an address', 'not an address'],
  ['x'.repeat(1000), 'x'.repeat(64)],
])('what %s does is counted for %s', (address, counted) => {
  expect(networkOf(address)).toBe(counted)
})

describe('requests of another computer', () => {
  const admit = async (settings: object, isEncrypted = false, headers: Caller['headers'] = {}) => {
    const secret = 't'.repeat(43)
    const { listen, proxy, users, tokens } = v.parse(configSchema, {
      tokens: [{ name: 'prometheus', hash: hashSecret(secret), scopes: ['metrics'], expires: '2999-01-01' }],
      users: [{ name: 'ana', role: 'viewer' }],
      proxy: { addresses: ['10.0.0.1'], 'user-header': 'Remote-User' },
      ...settings,
    })
    const access = createAccess({ listen, proxy, users, tokens }, noSessions, () => 0)
    const admission = await access.admit(
      {
        headers: { host: 'folding.example.org', ...headers },
        remote: '192.168.1.9',
        isEncrypted,
        version: '1.1',
        isOrdinary: true,
      },
      'page',
    )
    return admission.kind === 'refused' ? admission.status : (admission.identity?.name ?? 'nobody')
  }
  const listen = { address: '0.0.0.0', origins: ['https://folding.example.org'] }

  test('around the proxy are refused unless they cannot be read, have a token, or the settings allow it', async () => {
    expect(await admit({ listen })).toBe(403)
    expect(await admit({ listen }, true)).toBe('nobody')
    expect(await admit({ listen: { ...listen, 'plain-http': true } })).toBe('nobody')
    expect(await admit({ listen }, false, { authorization: `Bearer ${'t'.repeat(43)}` })).toBe('token prometheus')
  })

  test('cannot name a user or an address as a proxy can', async () => {
    const plain = { listen: { ...listen, 'plain-http': true } }
    const headers = { 'remote-user': 'ana', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
    expect(await admit(plain, false, headers)).toBe('nobody')
    expect(
      await admit({ ...plain, proxy: { addresses: ['192.168.1.9'], 'user-header': 'Remote-User' } }, false, headers),
    ).toBe('ana')
  })

  test('are refused without users, however they come', async () => {
    const open = { listen: { ...listen, 'plain-http': true }, users: [] }
    expect(await admit(open)).toBe(403)
    expect(await admit(open, true, { host: 'localhost:7400' })).toBe(403)
    expect(await admit({ ...open, proxy: { addresses: ['192.168.1.9'] } }, false, { host: 'localhost:7400' })).toBe(403)
  })
})

describe('attempts', () => {
  const start = async (users: readonly object[] = []) => {
    // Other tests of one process import the module that is replaced here.
    vi.resetModules()
    const fresh = await import('./access.ts')
    const clocks = { wall: Date.UTC(2027, 0, 1), elapsed: 0 }
    const settings = v.parse(configSchema, { users, proxy: { addresses: ['10.0.0.1'] } })
    const access = fresh.createAccess(
      settings,
      noSessions,
      () => clocks.wall,
      () => clocks.elapsed,
    )
    const from = (address: string): Caller => ({
      headers: { host: 'localhost:7400', 'x-forwarded-for': `192.0.2.1, ${address}` },
      remote: '::ffff:10.0.0.1',
      isEncrypted: false,
      version: '1.1',
      isOrdinary: true,
    })
    const guess = (address: string, name = 'ana', password = '') => access.login(from(address), name, password)
    const kindOf = async (...guessed: Parameters<typeof guess>) => (await guess(...guessed)).kind
    return { clocks, guess, kindOf }
  }
  const someone = async (name: string, cost = {}) => ({ name, role: 'viewer', password: await cheapHash(name, cost) })

  test('of all addresses of a /64 count together, and those of the next one apart', async () => {
    const { kindOf } = await start()
    for (let host = 1; host <= 10; host++) expect(await kindOf(`2001:db8:0:1::${host}`, `ana${host}`)).toBe('wrong')
    expect(await kindOf('2001:db8:0:1:ffff::1')).toBe('slow-down')
    expect(await kindOf('2001:db8:0:2::1')).toBe('wrong')
  })

  test('wait longer each time and for a minute at most, to whatever time the clock of the computer is set', async () => {
    const { clocks, guess, kindOf } = await start()
    for (let attempt = 1; attempt <= 10; attempt++) expect(await kindOf('192.0.2.5')).toBe('wrong')
    for (const moved of [-86_400_000, 86_400_000, 365 * 86_400_000]) {
      clocks.wall += moved
      expect(await kindOf('192.0.2.5')).toBe('slow-down')
    }
    const waits: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      const answer = await guess('192.0.2.5')
      const seconds = answer.kind === 'slow-down' ? answer.seconds : 0
      waits.push(seconds)
      clocks.elapsed += seconds * 1000
      expect(await kindOf('192.0.2.5')).toBe('wrong')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    clocks.elapsed += 900_000
    expect(await guess('192.0.2.5')).toEqual({ kind: 'wrong' })
    expect(await guess('192.0.2.5')).toEqual({ kind: 'wrong' })
  })

  test('at one account count from everywhere, and not for a person where they have signed in', async () => {
    const { clocks, kindOf } = await start([await someone('ana')])
    expect(await kindOf('192.0.2.1', 'ana', 'ana')).toBe('signed-in')
    for (let host = 10; host < 20; host++) expect(await kindOf(`192.0.2.${host}`)).toBe('wrong')
    expect(await kindOf('192.0.2.20', 'ana', 'ana')).toBe('slow-down')
    expect(await kindOf('192.0.2.1', 'ana', 'ana')).toBe('signed-in')
    clocks.elapsed += 1000
    expect(await kindOf('192.0.2.20', 'ana', 'ana')).toBe('signed-in')
  })

  test('are not forgotten when another account signs in at the same address', async () => {
    const { kindOf } = await start([await someone('ana'), await someone('eve')])
    const found: string[] = []
    for (let attempt = 0; attempt < 11; attempt++) {
      found.push(await kindOf('192.0.2.5', 'ana', 'wrong'))
      await kindOf('192.0.2.5', 'eve', 'eve')
    }
    expect(found).toEqual([...Array<string>(10).fill('wrong'), 'slow-down'])
  })

  test('at a name that nobody has cost as much as at one of somebody', async () => {
    verified.length = 0
    const users = [await someone('ana', { timeCost: 2 }), await someone('eve', { timeCost: 3 })]
    const { kindOf } = await start(users)
    for (let name = 0; name < 9; name++) expect(await kindOf(`192.0.2.${name}`, `x${name}`, 'ana')).toBe('wrong')
    expect(new Set(verified)).toEqual(new Set(users.map(({ password }) => password)))
  })
})

test('what uses a session ends when that was ended at another server', async () => {
  const lasting = new Set(['one', 'other'])
  const sessions: SessionStore = {
    ...noSessions,
    find: hash => Promise.resolve(lasting.has(hash) ? { hash, user: 'ana', expires: 1, made_with: '' } : undefined),
  }
  const access = createAccess(v.parse(configSchema, {}), sessions, () => 0)
  const ended: string[] = []
  for (const session of lasting) access.whenOver({ name: 'ana', role: 'viewer', session }, () => ended.push(session))
  await access.lookAtSessions()
  expect(ended).toEqual([])
  lasting.delete('one')
  await access.lookAtSessions()
  expect(ended).toEqual(['one'])
})

test('a session ends when the password changes with which it was made', async () => {
  const storedSessions = new Map<string, StoredSession>()
  const sessions: SessionStore = {
    find: hash => Promise.resolve(storedSessions.get(hash)),
    add: session => Promise.resolve(void storedSessions.set(session.hash, session)),
    remove: () => Promise.resolve(),
  }
  const caller = { remote: '127.0.0.1', isEncrypted: false, version: '1.1', isOrdinary: true }
  const accessWith = async (password: string) => {
    const users = [
      { name: 'ana', role: 'viewer', password: await cheapHash(password, { salt: Buffer.from('constant salt') }) },
    ]
    return createAccess(v.parse(configSchema, { users }), sessions, Date.now)
  }
  const signedIn = await (
    await accessWith('one')
  ).login({ ...caller, headers: { host: 'localhost:7400' } }, 'ana', 'one')
  if (signedIn.kind !== 'signed-in') throw new Error(signedIn.kind)
  const headers = { host: 'localhost:7400', cookie: signedIn.cookie.split(';')[0] }
  const ask = async (password: string) => (await accessWith(password)).admit({ ...caller, headers }, 'data')
  expect(await ask('one')).toMatchObject({ identity: { name: 'ana' } })
  expect(await ask('two')).toEqual({ kind: 'admitted', identity: undefined })
})
