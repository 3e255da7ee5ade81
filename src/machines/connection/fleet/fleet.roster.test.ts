import { expect, it } from 'vitest'
import { emptySummary } from '../../../folding/totals.ts'
import type { ClientReport } from '../client/client.meaning.ts'
import { emptyShelves } from '../../../folding/shelves.ts'
import { rosterWith, shownIds } from './fleet.roster.ts'

const reportOf = (isConnected: boolean): ClientReport => ({
  name: 'Attic', isConnected, hasAddress: true, machine: 'abc', account: 'me', donor: undefined, projects: [], isTooOld: false, problem: 0, summary: emptySummary,
})

it.each([
  ['directly when both ways work', true, true, ['__direct__']],
  ['directly when only that works', true, false, ['__direct__']],
  ['through the relay when only that works', false, true, ['abc']],
  ['directly when neither works', false, false, ['__direct__']],
])('a machine that is there in two ways is shown once: %s', (_, isDirectUp, isRelayUp, shown) => {
  const roster = rosterWith(rosterWith(emptyShelves(), '__direct__', true, reportOf(isDirectUp)), 'abc', false, { ...reportOf(isRelayUp), hasAddress: false })
  expect(shownIds(roster)).toEqual(shown)
})
