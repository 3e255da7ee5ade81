import { expect, test } from 'vitest'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { advance, newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import { storageId } from '../../../src/folding/incidents/incident.ts'
import { createWaitingSaves, type Save } from './waiting-saves.ts'

function incident(client: string): StoredIncident {
  return newIncident({
    machine: client,
    name: client,
    owner: undefined,
    condition: { kind: 'failing', gravity: 'warning', subject: '', since: 1, evidence: { group: '', count: 2 } },
  })
}
function over(client: string): StoredIncident {
  return advance(incident(client), { type: 'incident.ended', at: 5 })
}
function save(put: readonly StoredIncident[], at: number, removed: readonly string[] = []): Save {
  return {
    put,
    removed,
    at,
  }
}

test('changes wait in their order; of too many, the newest are joined to what they leave', () => {
  const saves = createWaitingSaves(2)
  const first = save([incident('a')], 1)
  expect(saves.add(first)).toBe(true)
  expect(saves.add(save([incident('b'), incident('c')], 2))).toBe(true)
  expect(saves.add(save([over('b')], 3, [storageId(incident('b'))]))).toBe(false)
  expect(saves.add(save([incident('d')], 4))).toBe(false)
  expect(saves.first()).toBe(first)
  saves.removeFirst()
  expect(saves.first()).toEqual(save([incident('c'), over('b'), incident('d')], 4, [storageId(incident('b'))]))
  saves.removeFirst()
  expect(saves.first()).toBeUndefined()
})

test('what returned after it was removed stays', () => {
  const saves = createWaitingSaves(2)
  saves.add(save([], 1))
  saves.add(save([], 2, [storageId(incident('a'))]))
  saves.add(save([incident('a')], 3))
  saves.removeFirst()
  expect(saves.first()).toEqual(save([incident('a')], 3))
})
