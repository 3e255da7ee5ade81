import fc from 'fast-check'
import { expect, it } from 'vitest'
import { traitsOf } from '../../../folding/client/client-key.ts'
import { emptySummary } from '../../../folding/client/totals.ts'
import type { ClientReport } from '../client/client.events.ts'
import { emptyShardedMap } from '../../../folding/shared/sharded-map.ts'
import { hiddenIds, rosterWith, shownIds, type Roster } from './fleet.roster.ts'

function reportOf(isConnected: boolean): ClientReport {
  return {
    name: 'Attic',
    ownName: 'Attic',
    address: undefined,
    traits: traitsOf(undefined),
    isConnected,
    goneSince: undefined,
    isAtRelay: false,
    way: 'default',
    delay: undefined,
    machine: 'abc',
    account: 'me',
    donor: undefined,
    projects: [],
    isTooOld: false,
    withheld: undefined,
    problem: 0,
    isRestartPending: false,
    hasWorkToFinish: true,
    isSimulated: false,
    summary: emptySummary,
  }
}

it.each([
  ['directly when both ways work', true, true, ['__direct__']],
  ['directly when only that works', true, false, ['__direct__']],
  ['through the relay when only that works', false, true, ['abc']],
  ['directly when neither works', false, false, ['__direct__']],
])('a client that is there in two ways is shown once: %s [4.10]', (_, isDirectUp, isRelayUp, shown) => {
  const roster = rosterWith(rosterWith(emptyShardedMap(), '__direct__', true, reportOf(isDirectUp)), 'abc', false, {
    ...reportOf(isRelayUp),
    way: 'relay',
  })
  expect(shownIds(roster)).toEqual(shown)
})

it('other clients, and clients without a reported id, are all shown', () => {
  const ids = { __direct__: undefined, '@a.lan:7396': undefined, '@b.lan:7396': 'b', '@c.lan:7396': 'c' }
  const roster = Object.entries(ids).reduce<Roster>(
    (result, [id, client]) => rosterWith(result, id, true, { ...reportOf(true), machine: client }),
    emptyShardedMap(),
  )
  expect(shownIds(roster).toSorted()).toEqual(Object.keys(ids).sort())
  expect(hiddenIds(roster).size).toBe(0)
})

function copied(roster: Roster): Roster {
  return roster.map(shard => new Map(shard))
}

it('whatever is reported one after the other gives what the same reports give at once', () => {
  const sent = fc.record({
    id: fc.constantFrom('__direct__', '@attic:7396', 'a', 'b', 'c', 'd'),
    name: fc.constantFrom('a', 'B', 'c2', 'c10'),
    isConnected: fc.boolean(),
    way: fc.constantFrom('default', 'loopback', 'network'),
    machine: fc.constantFrom('a', 'b', undefined),
    ppd: fc.constantFrom(0, 1000, 5000),
  })
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 20 }), fc.constantFrom(0, 3), (reports, askedFrom) => {
      let roster: Roster = emptyShardedMap()
      for (const [index, { id, ppd, machine: client, ...more }] of reports.entries()) {
        const isDirect = id.startsWith('_') || id.startsWith('@')
        const report = {
          ...reportOf(true),
          ...more,
          machine: isDirect ? client : id,
          summary: { ...emptySummary, ppd },
        }
        roster = rosterWith(roster, id, isDirect, report)
        if (index < askedFrom) continue
        for (const order of ['usual', 'ppd'] as const)
          expect(shownIds(roster, order)).toEqual(shownIds(copied(roster), order))
        expect(hiddenIds(roster)).toEqual(hiddenIds(copied(roster)))
      }
    }),
  )
})

it('clients that stay where they are stay the same list', () => {
  const before = rosterWith(rosterWith(emptyShardedMap(), 'a', false, reportOf(true)), 'b', false, reportOf(true))
  const shown = shownIds(before)
  const after = rosterWith(before, 'b', false, { ...reportOf(true), name: 'Barn' })
  expect(after === before).toBe(false)
  expect(shownIds(after) === shown).toBe(true)
})
