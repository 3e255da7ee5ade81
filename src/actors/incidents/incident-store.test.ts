import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { runActor } from '../../../test/run-actor.ts'
import type { Condition } from '../../folding/incidents/incident.ts'
import { emptyMemory } from '../../folding/incidents/client-memory.ts'
import { newIncident } from '../../machines/incidents/incident/incident.machine.ts'
import type { IncidentStoreFact } from '../../machines/incidents/incidents/incidents.events.ts'
import { defaultAttention } from '../../machines/incidents/incidents/incidents.machine.ts'
import { incidentStoreActor, openIncidentDatabase, openOnce, readMemories, writeMemories } from './incident-store.ts'
import { quietFor } from './notifier.ts'

const condition: Condition = { kind: 'stalled', gravity: 'grave', subject: 'u', since: 1, evidence: { unit: 4 } }
function incidentOf(client: string, owner?: string) {
  return newIncident({ machine: client, name: client, owner, condition })
}

function start(name: string) {
  const open = openOnce(() => openIncidentDatabase(name))
  const store = runActor<IncidentStoreFact>(incidentStoreActor(open))
  const load = async () => {
    store.send({ type: 'incidentStore.load' })
    const fact = await store.next(({ type }) => type === 'incidentStore.loaded')
    if (fact.type !== 'incidentStore.loaded') throw new Error('Nothing was loaded.')
    return fact
  }
  return { store, open, load }
}

describe('stored incidents', () => {
  it('are loaded as they were saved, and replaced by those that are over', async () => {
    const { store, load } = start('saved')
    const lasting = incidentOf('a')
    const over = { ...incidentOf('b'), state: 'resolved' as const, resolvedAt: 9 }
    store.send({ type: 'incidentStore.save', put: [lasting, incidentOf('b')], removed: [] })
    store.send({ type: 'incidentStore.save', put: [over], removed: [over.key] })
    store.send({ type: 'incidentStore.savePreferences', preferences: { ...defaultAttention, hasSound: true } })
    const { incidents, preferences } = await load()
    expect(incidents).toEqual([lasting, over])
    expect(preferences).toEqual({ ...defaultAttention, hasSound: true })
    store.send({ type: 'incidentStore.clearHistory' })
    expect((await load()).incidents).toEqual([lasting])
  })

  it('of other accounts are deleted, with what was remembered of their clients', async () => {
    const { store, open, load } = start('owners')
    const memory = emptyMemory(1)
    await writeMemories(
      open,
      new Map([
        ['own', { owner: 'me', memory }],
        ['direct', { owner: undefined, memory }],
      ]),
    )
    store.send({ type: 'incidentStore.save', put: [incidentOf('own', 'me'), incidentOf('direct')], removed: [] })
    store.send({ type: 'incidentStore.deleteOthers', account: 'you' })
    expect((await load()).incidents.map(({ machine: client }) => client)).toEqual(['direct'])
    expect([...(await readMemories(open)).entries()]).toEqual([['direct', { owner: undefined, memory }]])
  })

  it('that cannot be read are left out', async () => {
    const { open, load } = start('damaged')
    const database = await open()
    for (const [key, value] of [
      ['a', 5],
      ['b', { ...incidentOf('b'), state: 'resolved' }],
      ['c', { ...incidentOf('c'), kind: 'x' }],
    ] as const)
      await database?.put('incidents', value as never, key)
    await database?.put(
      'notes',
      { thresholds: { __proto__: 1, 'x.y': 'z' }, disabled: ['nothing', 'clock'] },
      'preferences',
    )
    await database?.put('memories', { memory: [] } as never, 'a')
    const { incidents, preferences } = await load()
    expect(incidents).toMatchObject([])
    expect(preferences).toMatchObject({ disabled: ['clock'], thresholds: {} })
    expect((await readMemories(open)).size).toBe(0)
  })

  it('are handled in all tabs by the same rules, and anything else that is sent there is ignored', async () => {
    const open = () => Promise.resolve(undefined)
    const [one, other] = [1, 2].map(() =>
      runActor<IncidentStoreFact>(incidentStoreActor(open, () => new BroadcastChannel('store-test'))),
    )
    const stranger = new BroadcastChannel('store-test')
    for (const message of [
      5,
      { type: 'tabs.signedOut' },
      { type: 'incidentStore.handledElsewhere', handling: { type: 'incident.ended', at: 1 }, keys: ['a'] },
      { type: 'incidentStore.handledElsewhere', handling: { type: 'incident.reopen' }, keys: [1] },
      { type: 'incidentStore.preferencesChanged', preferences: 5 },
    ])
      stranger.postMessage(message)
    const handling = { type: 'incident.snooze', until: 9 } as const
    one?.send({ type: 'incidentStore.share', handling, keys: ['a'] })
    expect(await other?.next(() => true)).toEqual({ type: 'incidentStore.handledElsewhere', handling, keys: ['a'] })
    const preferences = { ...defaultAttention, hasSound: true }
    one?.send({ type: 'incidentStore.savePreferences', preferences })
    expect(await other?.next(() => true)).toEqual({ type: 'incidentStore.preferencesChanged', preferences })
    stranger.close()
    one?.stop()
    other?.stop()
  })

  it('are none where nothing can be stored, which is reported', async () => {
    const store = runActor<IncidentStoreFact>(incidentStoreActor(() => Promise.resolve(undefined)))
    store.send({ type: 'incidentStore.load' })
    expect(await store.next(() => true)).toEqual({ type: 'incidentStore.failed', trouble: 'unavailable' })
    expect(await store.next(() => true)).toMatchObject({ type: 'incidentStore.loaded', incidents: [] })
  })
})

describe('quiet hours', () => {
  const at = (hours: number, minutes = 0): number => new Date(2026, 10, 20, hours, minutes).getTime()
  const night = { from: 22 * 60, until: 7 * 60 }

  it.each([
    [undefined, at(23), 0],
    [{ from: 60, until: 60 }, at(1), 0],
    [night, at(21, 59), 0],
    [night, at(7), 0],
    [night, at(6), 3_600_000],
    [night, at(23), 8 * 3_600_000],
    [{ from: 12 * 60, until: 13 * 60 }, at(12, 30), 1_800_000],
  ])('%o at %d end after %d ms', (hours, now, remaining) => {
    expect(quietFor(hours, now)).toBe(remaining)
  })
})
