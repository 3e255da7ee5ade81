import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { configSchema } from '../config/schema.ts'
import { createAccess } from './access.ts'
import { networkOf, type Caller } from './caller.ts'
import { hashSecret } from './passwords.ts'
import type { SessionStore } from './session-store.ts'

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
  const start = () => {
    const clocks = { wall: Date.UTC(2027, 0, 1), elapsed: 0 }
    const { listen, proxy, users, tokens } = v.parse(configSchema, { proxy: { addresses: ['10.0.0.1'] } })
    const access = createAccess(
      { listen, proxy, users, tokens },
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
    const guess = async (address: string) => (await access.login(from(address), 'ana', '')).kind
    return { clocks, guess }
  }

  test('of all addresses of a /64 count together, and those of the next one apart', async () => {
    const { guess } = start()
    for (let host = 1; host <= 10; host++) expect(await guess(`2001:db8:0:1::${host}`)).toBe('wrong')
    expect(await guess('2001:db8:0:1:ffff::1')).toBe('slow-down')
    expect(await guess('2001:db8:0:2::1')).toBe('wrong')
  })

  test('are slowed down for a minute, to whatever time the clock of the computer is set', async () => {
    const { clocks, guess } = start()
    for (let attempt = 1; attempt <= 10; attempt++) expect(await guess('192.0.2.5')).toBe('wrong')
    for (const moved of [-86_400_000, 86_400_000, 365 * 86_400_000]) {
      clocks.wall += moved
      expect(await guess('192.0.2.5')).toBe('slow-down')
    }
    clocks.elapsed += 60_001
    expect(await guess('192.0.2.5')).toBe('wrong')
  })
})
