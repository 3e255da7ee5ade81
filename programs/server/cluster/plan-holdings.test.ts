import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COORDINATION, planHoldings } from './plan-holdings.ts'

function plan(
  server: string,
  servers: readonly string[],
  held: Readonly<Record<string, string>>,
  clients = ['a', 'b', 'c', 'd'],
) {
  return planHoldings({ server, servers, holders: new Map(Object.entries(held)), machines: clients })
}

test('a server alone takes everything', () => {
  expect(plan('one', ['one'], {})).toEqual({ claims: [COORDINATION, 'a', 'b', 'c', 'd'], releases: [] })
})

test('with another server it takes its share, and gives up what is more', () => {
  const all = { [COORDINATION]: 'one', a: 'one', b: 'one', c: 'one', d: 'one' }
  expect(plan('one', ['one', 'two'], all)).toEqual({ claims: [], releases: ['c', 'd'] })
  expect(plan('two', ['one', 'two'], all)).toEqual({ claims: [], releases: [] })
  expect(plan('two', ['one', 'two'], { [COORDINATION]: 'one', a: 'one', b: 'one' })).toEqual({
    claims: ['c', 'd'],
    releases: [],
  })
})

test('a fourth server gets its share of nine clients from the three that hold them', () => {
  const clients = Array.from({ length: 9 }, (_, at) => `m${at}`)
  const held = Object.fromEntries(clients.map((client, at) => [client, `s${at % 3}`]))
  const releases = ['s0', 's1', 's2', 's3'].map(
    server => plan(server, ['s0', 's1', 's2', 's3'], { [COORDINATION]: 's0', ...held }, clients).releases.length,
  )
  expect(releases).toEqual([0, 1, 1, 0])
})

test('a client that left the settings is given up, and the coordination never is', () => {
  expect(plan('one', ['one', 'two'], { [COORDINATION]: 'one', gone: 'one', a: 'one' }).releases).toEqual(['gone'])
})

test('wherever servers come and go, everything is held by one of them in the end, evenly, and then stays', () => {
  const steps = fc.array(fc.record({ server: fc.nat(4), acts: fc.constantFrom('joins', 'ends', 'decides') }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, fc.nat(12), (walk, count) => {
      const clients = Array.from({ length: count }, (_, at) => `m${at}`)
      const servers = new Set<string>(['0'])
      const holders = new Map<string, string>()
      const decide = (server: string): number => {
        const { claims, releases } = planHoldings({ server, servers: [...servers], holders, machines: clients })
        for (const resource of claims) {
          expect(holders.has(resource)).toBe(false)
          holders.set(resource, server)
        }
        for (const resource of releases) holders.delete(resource)
        return claims.length + releases.length
      }
      for (const { server, acts } of walk) {
        const name = String(server)
        if (acts === 'joins') servers.add(name)
        else if (acts === 'ends' && servers.size > 1 && servers.delete(name)) {
          for (const [resource, holder] of holders) if (holder === name) holders.delete(resource)
        } else if (servers.has(name)) decide(name)
      }
      for (let round = 0; round < 3; round++) for (const server of servers) decide(server)
      expect([...servers].map(decide)).toEqual([...servers].map(() => 0))
      expect([...holders.keys()].sort()).toEqual([COORDINATION, ...clients].sort())
      for (const server of servers) {
        const held = clients.filter(client => holders.get(client) === server).length
        expect(held).toBeLessThanOrEqual(Math.ceil(count / servers.size))
        expect(held).toBeGreaterThanOrEqual(Math.floor(count / servers.size))
      }
    }),
  )
})
