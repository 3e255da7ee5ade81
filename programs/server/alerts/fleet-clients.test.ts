import { expect, test } from 'vitest'
import { groupTitleOf } from '../../../src/folding/client/group.ts'
import type { OwnNames } from '../../../src/folding/fleet/tags.ts'
import { dataOf, startFleet } from '../../../test/machines/fleet.ts'
import { watchedClients } from './fleet-clients.ts'

test('incidents name groups as people do, and a client that did not change is the same object', () => {
  const fleet = startFleet({ defaultAddress: '', addresses: [{ address: '10.0.0.7:7396', name: undefined }] })
  fleet.says('@10.0.0.7:7396', dataOf('attic', 'Attic'))
  const listed = [{ member: '@10.0.0.7:7396', address: '10.0.0.7:7396', name: 'Attic' }]
  const watch = (ownNames: OwnNames) =>
    watchedClients(fleet.actor.getSnapshot(), listed, new Map(), () => [], true, ownNames).find(
      ({ machine }) => machine === 'attic',
    )
  const before: OwnNames = {}
  expect(watch(before)).toBe(watch(before))
  const named = watch({ attic: [{ of: 'group:', tag: 'Cellar' }] })
  expect(groupTitleOf(named?.view.data?.info, '')).toBe('Cellar')
  expect(groupTitleOf(watch(before)?.view.data?.info, '')).toBe('Default')
})
