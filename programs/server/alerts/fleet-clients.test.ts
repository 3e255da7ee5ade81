import { expect, test } from 'vitest'
import { groupTitleOf } from '../../../src/folding/client/group.ts'
import type { OwnNames } from '../../../src/folding/fleet/tags.ts'
import { kindEntry } from '../../../src/folding/incidents/incident-kinds.ts'
import { GPU, MINUTE, rtx, watch as watchIncidents } from '../../../test/folding/incidents.ts'
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

test('alerts name a GPU by its own name, and by its model without one', () => {
  const fleet = startFleet({ defaultAddress: '', addresses: [{ address: '10.0.0.7:7396', name: undefined }] })
  const reported = dataOf('attic', 'Attic')
  fleet.says('@10.0.0.7:7396', {
    ...reported,
    info: { ...reported.info, gpus: { [GPU]: { ...rtx, supported: false } } },
    groups: { '': { config: { paused: false, cpus: 4, gpus: { [GPU]: { enabled: true } } } } },
  })
  const causes = (ownNames: OwnNames) => {
    const clients = watchedClients(fleet.actor.getSnapshot(), [], new Map(), () => [], true, ownNames)
    const data = clients.find(({ machine }) => machine === 'attic')?.view.data
    if (data === undefined) throw new Error('It is connected.')
    const { present } = watchIncidents().until(0, 6 * MINUTE, () => ({ data }))
    return present.map(condition => kindEntry(condition.kind).cause(condition, 0))
  }
  expect(causes({ attic: [{ of: GPU, tag: 'Window side' }] })).toEqual([
    expect.stringMatching(/^Group “Default” uses Window side/),
  ])
  expect(causes({})).toEqual([expect.stringMatching(/^Group “Default” uses RTX 4090/)])
})
