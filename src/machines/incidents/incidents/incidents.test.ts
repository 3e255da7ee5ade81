import { describe, expect, it } from 'vitest'
import { fromCallback, fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import type { Condition, IncidentKind } from '../../../folding/incidents/incident.ts'
import { newIncident } from '../incident/incident.machine.ts'
import type {
  IncidentsEvent,
  IncidentStoreCommand,
  NotificationPermissionState,
  NotifierCommand,
  Observation,
  WatchCommand,
  WatchInput,
} from './incidents.events.ts'
import { defaultAttention, incidentsMachine } from './incidents.machine.ts'
import { storageId } from '../../../folding/incidents/incident.ts'
import { MAX_ENDED, RETURNING, noIncidents, withObservations, withStored } from './incidents.reducer.ts'
import {
  areIncidentsLoaded,
  hasGraveIncident,
  selectAttentionCount,
  selectIncidents,
  selectIncidentsOf,
  selectLogTime,
  selectOpenKindsOf,
} from './incidents.selectors.ts'

function condition(kind: IncidentKind = 'stalled', part: Partial<Condition> = {}): Condition {
  return {
    kind,
    gravity: 'grave',
    subject: 's',
    since: 1000,
    evidence: {},
    ...part,
  }
}

function seen(client: string, present: readonly Condition[], part: Partial<Observation> = {}): Observation {
  return {
    machine: client,
    name: client,
    owner: undefined,
    present,
    gone: [],
    waits: [],
    ...part,
  }
}

function start() {
  const stored: IncidentStoreCommand[] = []
  const watch: (WatchCommand | WatchInput)[] = []
  const notices: NotifierCommand[] = []
  const answers: { readonly grant: (permission: NotificationPermissionState) => void; readonly fail: () => void }[] = []
  const machine = incidentsMachine.provide({
    actors: {
      incidentStore: fromCallback<IncidentStoreCommand, undefined>(({ receive }) => {
        receive(command => stored.push(command))
      }),
      incidentWatch: fromCallback<WatchCommand, WatchInput>(({ input, receive }) => {
        watch.push(input)
        receive(command => watch.push(command))
      }),
      notifier: fromCallback<NotifierCommand, undefined>(({ receive }) => {
        receive(command => notices.push(command))
      }),
      askPermission: fromPromise<NotificationPermissionState, undefined>(
        () =>
          new Promise((resolve, reject) => answers.push({ grant: resolve, fail: () => reject(new Error('refused')) })),
      ),
    },
  })
  const { actor, clock } = startChild(machine)
  const observe = (at: number, ...observations: readonly Observation[]): void =>
    actor.send({ type: 'watch.observed', at, observations })
  return { actor, clock, stored, watch, notices, answers, observe, snapshot: () => actor.getSnapshot() }
}

function startLoaded(loaded: Partial<Extract<IncidentsEvent, { type: 'incidentStore.loaded' }>> = {}) {
  const stage = start()
  stage.actor.send({ type: 'incidents.open' })
  stage.actor.send({ type: 'incidentStore.loaded', incidents: [], preferences: undefined, ...loaded })
  stage.stored.splice(0)
  return stage
}

function startNotifying() {
  const stage = startLoaded()
  stage.actor.send({ type: 'notifier.permission', permission: 'granted' })
  stage.actor.send({ type: 'incidents.change', change: { notifies: true } })
  stage.notices.splice(0)
  return stage
}

function sent(notices: readonly NotifierCommand[]) {
  return notices.flatMap(command =>
    command.type === 'notifier.notify' ? [command.incidents.map(({ machine: client }) => client)] : [],
  )
}

describe('incidents', () => {
  it('are loaded before clients are watched', () => {
    const { actor, stored, watch, snapshot } = start()
    expect(stored).toEqual([])
    expect(watch).toEqual([])
    expect(areIncidentsLoaded(snapshot())).toBe(false)
    actor.send({ type: 'incidents.open' })
    expect({ stored, watch }).toEqual({ stored: [{ type: 'incidentStore.load' }], watch: [] })
    const incident = newIncident({ machine: 'm', name: 'm', owner: undefined, condition: condition() })
    actor.send({
      type: 'incidentStore.loaded',
      incidents: [incident],
      preferences: { ...defaultAttention, hasSound: true },
    })
    expect(watch).toMatchObject([{ machines: ['m'], preferences: { hasSound: true } }])
    expect(areIncidentsLoaded(snapshot())).toBe(true)
    expect(selectAttentionCount(snapshot())).toBe(1)
  })

  it('are found, counted, stored, and end in the history', () => {
    const { observe, stored, notices, snapshot } = startLoaded()
    observe(
      2000,
      seen('a', [condition(), condition('outdated', { gravity: 'notice' })]),
      seen('b', [condition('timeout', { gravity: 'warning' })]),
    )
    expect(selectAttentionCount(snapshot())).toBe(2)
    expect(hasGraveIncident(snapshot())).toBe(true)
    expect(notices.at(-1)).toEqual({ type: 'notifier.count', count: 2 })
    expect(selectIncidents(snapshot()).map(({ kind }) => kind)).toEqual(['stalled', 'timeout', 'outdated'])
    expect(selectIncidents(snapshot())).toBe(selectIncidents(snapshot()))
    expect(selectIncidentsOf('b')(snapshot()).map(({ kind }) => kind)).toEqual(['timeout'])
    expect(selectIncidentsOf('x')(snapshot())).toEqual([])
    expect(selectIncidentsOf(undefined)(snapshot())).toEqual([])
    expect(selectOpenKindsOf('a')(snapshot())).toContain('stalled')
    observe(9000, seen('a', [], { gone: ['stalled s'] }))
    expect(snapshot().context.incidents.ended).toMatchObject([{ kind: 'stalled', state: 'resolved', resolvedAt: 9000 }])
    expect(stored.at(-1)).toMatchObject({ removed: ['a stalled s'], put: [{ resolvedAt: 9000 }] })
    observe(9500, seen('a', []))
    expect(stored).toHaveLength(2)
  })

  it('that return soon are the same, later another one', () => {
    const { observe, snapshot, stored } = startLoaded()
    observe(2000, seen('a', [condition()]))
    observe(3000, seen('a', [], { gone: ['stalled s'] }))
    observe(4000, seen('a', [condition('stalled', { since: 4000 })]))
    expect(selectIncidents(snapshot())).toMatchObject([{ times: 2, since: 1000 }])
    expect(snapshot().context.incidents.ended).toEqual([])
    expect(stored.at(-1)).toMatchObject({ removed: ['a stalled s @3000'] })
    observe(5000, seen('a', [], { gone: ['stalled s'] }))
    observe(5001 + RETURNING, seen('a', [condition('stalled', { since: 99 })]))
    expect(selectIncidents(snapshot())).toMatchObject([{ times: 1, since: 99 }])
  })

  it('are handled in the other tabs as in this one', () => {
    const { actor, observe, stored, snapshot } = startLoaded()
    observe(2000, seen('a', [condition()]))
    const keys = selectIncidents(snapshot()).map(({ key }) => key)
    actor.send({ type: 'incidents.acknowledge', keys })
    const handling = { type: 'incident.acknowledge' } as const
    expect(stored.at(-1)).toEqual({ type: 'incidentStore.share', handling, keys })
    actor.send({ type: 'incidentStore.handledElsewhere', handling: { type: 'incident.reopen' }, keys: [...keys, 'x'] })
    expect(selectAttentionCount(snapshot())).toBe(1)
    expect(stored.at(-1)?.type).toBe('incidentStore.save')
  })

  it('are acknowledged, snoozed and opened again by a person, and by time', () => {
    const { actor, observe, snapshot } = startLoaded()
    observe(2000, seen('a', [condition()]))
    const keys = ['a stalled s', 'nobody stalled s']
    const state = () => selectIncidents(snapshot())[0]?.state
    actor.send({ type: 'incidents.acknowledge', keys })
    expect(state()).toBe('acknowledged')
    expect(selectAttentionCount(snapshot())).toBe(0)
    actor.send({ type: 'incidents.reopen', keys })
    expect(state()).toBe('open')
    actor.send({ type: 'incidents.snooze', keys, until: 9000 })
    actor.send({ type: 'watch.ticked', at: 8000 })
    expect(state()).toBe('snoozed')
    actor.send({ type: 'watch.ticked', at: 9000 })
    expect(state()).toBe('open')
  })

  it('of a client that is no longer listed end', () => {
    const { actor, observe, snapshot } = startLoaded()
    observe(2000, seen('a', [condition()], { waits: [condition('waiting')] }), seen('b', [condition()]))
    actor.send({ type: 'watch.machinesLeft', at: 3000, machines: ['a'] })
    expect(selectIncidents(snapshot()).map(({ machine: client }) => client)).toEqual(['b'])
    expect(snapshot().context.waits.size).toBe(0)
  })

  it('keep waits that are normal for now, while they last', () => {
    const { observe, snapshot } = startLoaded()
    observe(2000, seen('a', [], { waits: [condition('waiting')] }))
    expect([...snapshot().context.waits.keys()]).toEqual(['a'])
    observe(3000, seen('a', []))
    expect(snapshot().context.waits.size).toBe(0)
  })

  it('and waits tell when the log was written that is about them', () => {
    const { observe, snapshot } = startLoaded()
    const waits = [condition('waiting', { since: 1500, evidence: { unit: 7, answerAt: 1800 } })]
    observe(2000, seen('a', [condition('failing', { evidence: { group: 'night' } })], { waits }))
    const times = (['a', 'b', undefined] as const).map(client => [
      selectLogTime(client, ({ evidence }) => evidence.group === 'night')(snapshot()),
      selectLogTime(client, ({ evidence }) => evidence.unit === 7)(snapshot()),
    ])
    const none = [undefined, undefined]
    expect(times).toEqual([[1000, 1800], none, none])
  })

  it('of an account are deleted when it is left, unless the client was seen directly', () => {
    const { actor, observe, snapshot, stored, watch } = startLoaded()
    actor.send({ type: 'incidents.accountSignedIn', account: 'me' })
    actor.send({ type: 'incidents.accountSignedIn', account: 'me' })
    observe(
      2000,
      seen('own', [condition()], { owner: 'me' }),
      seen('direct', [condition()]),
      seen('foreign', [condition()], { owner: 'you' }),
    )
    observe(2500, seen('direct', [condition('stalled', { since: 5 })], { owner: 'me' }))
    expect(selectIncidents(snapshot()).map(({ machine: client }) => client)).toEqual(['direct', 'own'])
    actor.send({ type: 'incidents.accountSignedOut' })
    expect(selectIncidents(snapshot()).map(({ machine: client }) => client)).toEqual(['direct'])
    expect(stored.at(-1)).toEqual({ type: 'incidentStore.deleteOthers', account: undefined })
    expect(watch.at(-1)).toEqual({ type: 'watch.forgetOthers', account: undefined })
  })

  it('of another account are not loaded', () => {
    const { actor, snapshot } = start()
    actor.send({ type: 'incidents.accountSignedOut' })
    actor.send({ type: 'incidents.accountSignedIn', account: 'me' })
    actor.send({ type: 'incidents.open' })
    const incidents = ['me', 'you', undefined].map(owner =>
      newIncident({ machine: owner ?? 'direct', name: '', owner, condition: condition() }),
    )
    actor.send({ type: 'incidentStore.loaded', incidents, preferences: undefined })
    expect(selectIncidents(snapshot()).map(({ machine: client }) => client)).toEqual(['direct', 'me'])
  })

  it('that are over are deleted on demand', () => {
    const { actor, observe, snapshot, stored } = startLoaded()
    observe(2000, seen('a', [condition()]))
    observe(3000, seen('a', [], { gone: ['stalled s'] }))
    actor.send({ type: 'incidents.clearHistory' })
    expect(snapshot().context.incidents.ended).toEqual([])
    expect(stored.at(-1)).toEqual({ type: 'incidentStore.clearHistory' })
  })

  it('follow the rules that a person sets, which are stored', () => {
    const { actor, snapshot, stored, watch } = startLoaded()
    actor.send({ type: 'incidents.change', change: { thresholds: { 'stalled.frames': 9 } } })
    expect(snapshot().context.preferences.thresholds).toEqual({ 'stalled.frames': 9 })
    expect(stored.at(-1)).toMatchObject({ type: 'incidentStore.savePreferences' })
    expect(watch.at(-1)).toMatchObject({
      type: 'watch.configure',
      preferences: { thresholds: { 'stalled.frames': 9 } },
    })
  })

  it('follow the rules that a person sets in another tab, which stored them', () => {
    const { actor, snapshot, stored, watch, observe, clock, notices } = startNotifying()
    observe(2000, seen('a', [condition()]))
    stored.splice(0)
    const preferences = { ...defaultAttention, notifies: false, hasSound: true }
    actor.send({ type: 'incidentStore.preferencesChanged', preferences })
    expect(snapshot().context).toMatchObject({ preferences, pending: [] })
    expect(watch.at(-1)).toEqual({ type: 'watch.configure', preferences })
    expect(stored).toEqual([])
    clock.increment(60_000)
    expect(sent(notices)).toEqual([])
  })

  it('say why nothing is stored, and why no notification was shown', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'incidentStore.failed', trouble: 'full' })
    actor.send({ type: 'notifier.failed', reason: 'blocked' })
    expect(snapshot().context.storeFault).toBe('full')
    expect(snapshot().context.trouble).toBe('blocked')
    actor.send({ type: 'incidents.tryNotification' })
    expect(snapshot().context.trouble).toBeUndefined()
  })

  it('are limited in number: the oldest that are over are dropped', () => {
    const many = Array.from({ length: MAX_ENDED }, (_, index) => ({
      ...newIncident({ machine: `m${index}`, name: '', owner: undefined, condition: condition() }),
      state: 'resolved' as const,
      resolvedAt: index + 1,
    }))
    const full = withStored(noIncidents, many)
    const one = withObservations(full, [seen('a', [condition()])], 5000)
    const { incidents, removed } = withObservations(one.incidents, [seen('a', [], { gone: ['stalled s'] })], 6000)
    expect(incidents.ended.length).toEqual(MAX_ENDED)
    expect(incidents.ended[0]?.machine).toBe('a')
    expect(removed).toContain(
      storageId(many[0] ?? newIncident({ machine: '', name: '', owner: undefined, condition: condition() })),
    )
  })
})

describe('the permission to notify', () => {
  it('is asked for once at a time, and may be refused', async () => {
    const { actor, answers, snapshot } = startLoaded()
    actor.send({ type: 'incidents.askPermission' })
    actor.send({ type: 'incidents.askPermission' })
    expect({ answers: answers.length, asking: snapshot().hasTag('asking') }).toEqual({ answers: 1, asking: true })
    answers[0]?.grant('denied')
    await settled()
    expect(snapshot().context.permission).toBe('denied')
    expect(snapshot().hasTag('asking')).toBe(false)
    actor.send({ type: 'incidents.askPermission' })
    answers[1]?.fail()
    await settled()
    expect(snapshot().context.permission).toBe('denied')
    expect(snapshot().hasTag('asking')).toBe(false)
  })
})

describe('a notification', () => {
  it('is one for all that happens within a while, of the chosen kinds', () => {
    const { observe, clock, notices, actor, snapshot } = startNotifying()
    observe(2000, seen('a', [condition()]))
    clock.increment(10_000)
    observe(2500, seen('b', [condition()]), seen('c', [condition('clock')]))
    expect(sent(notices)).toEqual([])
    clock.increment(5000)
    expect(sent(notices)).toEqual([['a', 'b']])
    actor.send({ type: 'notifier.done' })
    expect(snapshot().matches({ notifications: 'idle' })).toBe(true)
    expect(snapshot().context.pending).toEqual([])
  })

  it('is not shown without the permission, nor when they are off, nor for what was acknowledged meanwhile', () => {
    const off = startLoaded()
    off.observe(2000, seen('a', [condition()]))
    off.clock.increment(60_000)
    const refused = startNotifying()
    refused.actor.send({ type: 'notifier.permission', permission: 'denied' })
    refused.observe(2000, seen('a', [condition()]))
    refused.clock.increment(60_000)
    const acknowledged = startNotifying()
    acknowledged.observe(2000, seen('a', [condition()]))
    acknowledged.actor.send({ type: 'incidents.acknowledge', keys: ['a stalled s'] })
    acknowledged.clock.increment(60_000)
    expect([off, refused, acknowledged].map(({ notices }) => sent(notices))).toEqual([[], [], []])
    expect(acknowledged.snapshot().matches({ notifications: 'idle' })).toBe(true)
    acknowledged.actor.send({ type: 'incidents.change', change: { notifies: false } })
    expect(acknowledged.snapshot().context.pending).toEqual([])
  })

  it('waits for the end of quiet hours, for what still lasts then', () => {
    const { observe, clock, notices, actor, snapshot } = startNotifying()
    observe(2000, seen('a', [condition()]), seen('b', [condition()]))
    clock.increment(15_000)
    observe(2500, seen('c', [condition()]))
    actor.send({ type: 'notifier.quiet', remaining: 60_000 })
    observe(3000, seen('a', [], { gone: ['stalled s'] }))
    clock.increment(60_000)
    expect(sent(notices)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ])
    actor.send({ type: 'notifier.quiet', remaining: 60_000 })
    observe(4000, seen('b', [], { gone: ['stalled s'] }), seen('c', [], { gone: ['stalled s'] }))
    clock.increment(60_000)
    expect(sent(notices).length).toBe(2)
    expect(snapshot().matches({ notifications: 'idle' })).toBe(true)
  })

  it.each<(stage: ReturnType<typeof start>) => void>([
    ({ actor }) => actor.send({ type: 'notifier.done' }),
    ({ actor }) => actor.send({ type: 'notifier.failed', reason: 'blocked' }),
    ({ clock }) => clock.increment(30_000),
  ])('is followed by another one for what happens until it is shown (%#)', end => {
    const stage = startNotifying()
    const { observe, clock, notices } = stage
    observe(2000, seen('a', [condition()]))
    clock.increment(15_000)
    observe(3000, seen('b', [condition()]))
    end(stage)
    clock.increment(15_000)
    expect(sent(notices)).toEqual([['a'], ['b']])
  })

  it('that fails, or is never answered, does not stop later ones', () => {
    const { observe, clock, notices, actor, snapshot } = startNotifying()
    observe(2000, seen('a', [condition()]))
    clock.increment(15_000)
    actor.send({ type: 'notifier.failed', reason: 'blocked' })
    expect(snapshot().context.trouble).toBe('blocked')
    observe(3000, seen('b', [condition()]))
    clock.increment(15_000)
    clock.increment(30_000)
    expect(snapshot().matches({ notifications: 'idle' })).toBe(true)
    observe(4000, seen('c', [condition()]))
    clock.increment(15_000)
    expect(sent(notices)).toEqual([['a'], ['b'], ['c']])
  })

  it('is shown as a test on request', () => {
    const { actor, notices } = startNotifying()
    actor.send({ type: 'incidents.tryNotification' })
    expect(notices).toEqual([{ type: 'notifier.try', hasSound: false }])
  })
})
