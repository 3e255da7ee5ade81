import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { configSchema } from '../config/schema.ts'
import { createAccess } from './access.ts'
import { networkOf, type Caller } from './caller.ts'

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

describe('attempts', () => {
  const start = () => {
    const clocks = { wall: Date.UTC(2027, 0, 1), elapsed: 0 }
    const { listen, proxy, users, tokens } = v.parse(configSchema, { proxy: { addresses: ['10.0.0.1'] } })
    const sessions = {
      find: () => Promise.resolve(undefined),
      add: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    }
    const access = createAccess(
      { listen, proxy, users, tokens },
      sessions,
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
