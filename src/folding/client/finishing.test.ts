import { expect, it } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { groupsToResume, finishBlocker } from './finishing.ts'

function data(paused: Readonly<Record<string, boolean>>, ...holders: readonly string[]): ClientData {
  return {
    info: {},
    config: {},
    groups: Object.fromEntries(
      Object.entries(paused).map(([name, isPaused]) => [name, { config: { paused: isPaused } }]),
    ),
    units: holders.map(group => ({ id: group, group })),
  }
}

it.each([
  ['folds', data({ '': false }), [], undefined],
  ['folds, with units', data({ '': false }, ''), [], undefined],
  ['is paused, with units', data({ '': true }, ''), [''], undefined],
  ['is paused', data({ '': true }), [], 'Nothing to finish: the machine is paused and has no work units.'],
  ['has a group that folds', data({ '': true, night: false }), [], undefined],
  ['has a paused group with units', data({ '': true, night: true }, 'night'), ['night'], undefined],
  ['has said nothing', undefined, [], undefined],
])('a client that %s', (_, client, resumed, why) => {
  expect(groupsToResume(client)).toEqual(resumed)
  expect(finishBlocker(client)).toEqual(why)
})

it('a group is looked at alone', () => {
  const client = data({ '': true, night: true }, 'night')
  expect(groupsToResume(client, '')).toEqual([])
  expect(groupsToResume(client, 'night')).toEqual(['night'])
  expect(groupsToResume(client, 'toString')).toEqual([])
  expect(finishBlocker(client, '')).toBe('Nothing to finish: the group is paused and has no work units.')
  expect(finishBlocker(client, 'night')).toBeUndefined()
})
