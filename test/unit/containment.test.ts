import { describe, expect, it } from 'vitest'
import {
  createActor,
  fromCallback,
  fromTransition,
  SimulatedClock,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
} from 'xstate'
import { createErrorReporter } from '../../src/journal/failures.ts'
import { bringActors, lateActorNames } from '../../src/machines/app/app.actors.ts'
import { partNames } from '../../src/machines/app/app.parts.ts'
import { appMachine } from '../../src/machines/app/app.machine.ts'
import { partFailedMessage } from '../../src/machines/app/app.messages.ts'
import { clientSettingsMachine } from '../../src/machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../src/machines/connection/client/client.machine.ts'
import { fleetMachine } from '../../src/machines/connection/fleet/fleet.machine.ts'
import { selectSettings } from '../../src/machines/account/account/account.selectors.ts'
import { relayMachine } from '../../src/machines/connection/relay/relay.machine.ts'
import { seriesMachine } from '../../src/machines/resource/series/series.machine.ts'
import { playerMachine } from '../../src/machines/screens/player/player.machine.ts'
import { startSignedIn } from '../machines/account.ts'
import { webSocketUrl } from '../urls.ts'
import { queryCacheMachine } from '../../src/machines/resource/query-cache/query-cache.machine.ts'
import { resourceMachine } from '../../src/machines/resource/resource/resource.machine.ts'
import { startChild, settled } from '../child.ts'
import { machines } from '../statecharts.ts'
import { appInput as input } from '../machines/app-input.ts'

type Invoked = {
  readonly name: string
  readonly source: string
  readonly hasOnError: boolean
  readonly isPromise: boolean
}

/** Only a promise is done when its answer comes. */
function isPromise(logic: AnyActorLogic): boolean {
  try {
    const done: unknown = logic.transition(
      { status: 'active' },
      { type: 'xstate.promise.resolve', data: 1 },
      {} as never,
    )
    return (done as { readonly status?: unknown }).status === 'done'
  } catch {
    return false
  }
}

function nameOf(source: unknown): string {
  if (typeof source !== 'string') throw new Error('Every actor has a name in its machine.')
  return source
}

function invokedBy(machine: AnyStateMachine): readonly Invoked[] {
  const below = (node: AnyStateMachine['root']): readonly Invoked[] => [
    ...node.invoke.map(({ id, src }) => ({
      name: `${node.id}: ${id}`,
      source: nameOf(src),
      hasOnError: node.transitions.has(`xstate.error.actor.${id}`),
      isPromise: isPromise(machine.implementations.actors[nameOf(src)] as AnyActorLogic),
    })),
    ...Object.values(node.states).flatMap(child => below(child)),
  ]
  return below(machine.root)
}

const invoked = machines.flatMap(({ machine }) => invokedBy(machine))

describe('an invoked promise', () => {
  it('is distinguished from other actors', () => {
    const promises = new Set(invoked.filter(each => each.isPromise).map(({ source }) => source))
    expect([...promises].sort()).toEqual([
      'askAlerts',
      'askCredit',
      'askPermission',
      'askServer',
      'askTime',
      'attempt',
      'callAccount',
      'deleteAccount',
      'deleteTeam',
      'doAlertTask',
      'doTask',
      'endSession',
      'examine',
      'exportUnits',
      'fetchAccount',
      'fetchResource',
      'findUnsaved',
      'giveOwn',
      'importUnits',
      'join',
      'loadResource',
      'pingHost',
      'pingNode',
      'readClock',
      'readList',
      'readShared',
      'release',
      'renew',
      'renewToken',
      'restore',
      'restoreSession',
      'saveDraft',
      'saveFile',
      'scalePicture',
      'sendChange',
      'sendState',
      'showAlive',
      'unlinkMachine',
      'verifyEmail',
    ])
  })

  it.each(invoked.filter(each => each.isPromise))('has an onError: $name', ({ hasOnError }) => {
    expect(hasOnError).toBe(true)
  })
})

const parts = [...Object.keys(appMachine.implementations.actors), ...lateActorNames]

/** The app with parts that throw an error on request. */
function startApp() {
  const reported: (readonly [string, unknown])[] = []
  const failures = createErrorReporter((error, actor) => reported.push([actor, error]))
  const fragile = fromTransition(
    (state: { readonly context: object }, { type }: { readonly type: string }) => {
      if (type === 'boom') throw new Error('boom')
      return state
    },
    { context: {} },
  )
  const actors = Object.fromEntries(parts.map(name => [name, fragile]))
  const machine = appMachine.provide({ actors })
  bringActors(machine, Object.fromEntries(lateActorNames.map(name => [name, fragile])))
  const app = createActor(machine, {
    input,
    clock: new SimulatedClock(),
    inspect: failures.inspect,
  })
  app.start()
  for (const part of partNames) app.send({ type: 'code.arrived', part })
  const part = (name: string): AnyActorRef => {
    const found = (app.getSnapshot().children as Readonly<Record<string, AnyActorRef | undefined>>)[name]
    if (found === undefined) throw new Error(`There is no ${name}.`)
    return found
  }
  return { app, part, reported }
}

describe('an error in a part of the page', () => {
  it.each(parts)('ends neither the app nor another part, and %s is started again', async name => {
    const { app, part, reported } = startApp()
    const before = new Map(parts.map(each => [each, part(each)]))
    part(name).send({ type: 'boom' })
    await settled()
    expect(app.getSnapshot().status).toBe('active')
    expect(parts.filter(each => part(each) !== before.get(each))).toEqual([name])
    expect(part(name).getSnapshot()).toMatchObject({ status: 'active' })
    expect(reported).toEqual([[name, new Error('boom')]])
  })

  it('that returns again and again leaves the part as it was', () => {
    const { app, part } = startApp()
    for (let time = 0; time < 4; time++) part('relay').send({ type: 'boom' })
    expect(app.getSnapshot().status).toBe('active')
    expect(part('relay').getSnapshot()).toMatchObject({ status: 'error' })
    expect(app.getSnapshot().context.failures).toEqual({ relay: 4 })
  })

  it('is shown to the user', () => {
    expect(partFailedMessage('relay', new Error('boom')).text).toContain('“relay” stopped because of an error: boom.')
  })
})

describe('an error in the actor of one client', () => {
  const environment = { account: undefined, latestVersion: undefined }
  const facts = [
    { type: 'snapshot.received', data: { info: { version: '8.5.7' }, config: {}, groups: {}, units: [] } },
  ] as const

  it('stops no other actor, and the failed one is started again after a while', async () => {
    const client = clientMachine.provide({
      actors: { clientLink: fromCallback(() => undefined) },
      actions: {
        assignReport: (_, { at }) => {
          if (at === 666) throw new Error('boom')
        },
      },
    })
    const { actor, clock } = startChild(fleetMachine.provide({ actors: { client } }), {
      defaultAddress: '127.0.0.1:7396',
      addresses: [{ address: 'nas:7396', name: undefined }],
    })
    const member = (id: string) => actor.getSnapshot().context.members[id]?.ref
    const [first, other] = [member('__direct__'), member('@nas:7396')]
    first?.send({ type: 'link.reported', at: 666, facts })
    expect(actor.getSnapshot().status).toBe('active')
    expect(member('@nas:7396')).toBe(other)
    const again = member('__direct__')
    expect(again).not.toBe(first)
    expect(again?.getSnapshot()).toMatchObject({
      value: { link: { waiting: 'pausing' } },
      context: { trouble: 'failed', failures: 1 },
    })
    clock.increment(60_000)
    // A request that fails is no answer; the page being shown needs none.
    await settled()
    expect(again?.getSnapshot()).toMatchObject({ value: { link: { waiting: 'pausing' } }, context: { unanswered: 1 } })
    again?.send({ type: 'client.reconnect' })
    expect(again?.getSnapshot()).toMatchObject({ value: { link: { reaching: 'opening' } } })
    actor.send({ type: 'fleet.disconnect', id: '@nas:7396' })
    actor.send({ type: 'xstate.error.actor.@nas:7396', actorId: '@nas:7396', error: new Error('late') })
    expect(member('@nas:7396')).toBeUndefined()
  })

  it('of its link is a lost connection', () => {
    const client = clientMachine.provide({
      actors: {
        clientLink: fromCallback(() => {
          throw new Error('boom')
        }),
      },
    })
    const { actor } = startChild(client, { id: 'a', kind: 'direct', address: 'nas', environment })
    expect(actor.getSnapshot()).toMatchObject({
      status: 'active',
      value: { link: { waiting: 'pausing' } },
      context: { trouble: 'failed' },
    })
  })

  it('of its clock keeps the command until the clock can be read', async () => {
    const client = clientMachine.provide({
      actors: { clientLink: fromCallback(() => undefined), settings: clientSettingsMachine },
    })
    const { actor } = startChild(client, { id: 'a', kind: 'direct', address: 'nas', environment })
    actor.send({ type: 'link.reported', at: 1, facts })
    actor.send({ type: 'client.setState', state: 'fold' })
    await settled()
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: { commands: 'spacing' } })
  })

  it('in its settings closes the settings page', () => {
    const client = clientMachine.provide({
      actors: { clientLink: fromCallback(() => undefined), settings: clientSettingsMachine },
    })
    const { actor } = startChild(client, { id: 'a', kind: 'direct', address: 'nas', environment })
    actor.send({ type: 'client.openSettings' })
    expect(actor.getSnapshot().context.settings).toBeDefined()
    actor.send({ type: 'xstate.error.actor.settings', actorId: 'settings', error: new Error('boom') })
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', context: { settings: undefined } })
  })
})

describe('an error in a remote value', () => {
  it('stops no other one, and it is fetched again after a while', async () => {
    const resource = resourceMachine.provide({
      actions: {
        clear: () => {
          throw new Error('boom')
        },
      },
    })
    const { actor, clock } = startChild(queryCacheMachine.provide({ actors: { resource } }))
    actor.send({ type: 'queryCache.want', key: 'team/7' })
    actor.send({ type: 'queryCache.want', key: 'causes' })
    await settled()
    const ref = (key: 'team/7' | 'causes') => actor.getSnapshot().context.entries.get(key)?.ref
    const [team, causes] = [ref('team/7'), ref('causes')]
    actor.send({ type: 'queryCache.clearPersonal' })
    expect(actor.getSnapshot().status).toBe('active')
    expect(ref('causes') === causes).toBe(true)
    expect(ref('team/7') === team).toBe(false)
    expect(ref('team/7')?.getSnapshot()).toMatchObject({ value: { wanted: 'failed' }, context: { hasFailed: true } })
    clock.increment(120_000)
    expect(ref('team/7')?.getSnapshot()).toMatchObject({ value: { wanted: 'fetching' }, context: { hasFailed: false } })
    actor.send({ type: 'queryCache.release', key: 'causes' })
    actor.send({ type: 'xstate.error.actor.resource:causes', actorId: 'resource:causes', error: new Error('boom') })
    expect(ref('causes')?.getSnapshot()).toMatchObject({ value: 'unwanted' })
  })
})

describe('an error in a connection', () => {
  const crashed = (id: string) => ({ type: `xstate.error.actor.${id}`, actorId: id, error: new Error('boom') }) as const
  const keys = { publicKey: 'A', id: 'me', sign: {} as CryptoKey, decrypt: {} as CryptoKey }

  it('to the relay, or in its ping, is followed by another attempt', async () => {
    const { actor, clock } = startChild(relayMachine)
    actor.send({ type: 'relay.activate', target: { url: webSocketUrl('wss://node.test/ws/account'), keys } })
    await settled()
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: { active: { waiting: 'pausing' } } })
    clock.increment(1000)
    await settled()
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', context: { unanswered: 1 } })
  })

  it('to the statistics is followed by another attempt', () => {
    const machine = seriesMachine.provide({ actors: { seriesCache: fromCallback(() => undefined) } })
    const { actor } = startChild(machine)
    actor.send({ type: 'series.want', ref: 'user/1' as never })
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: 'waiting' })
  })

  it('to a recording pauses it', () => {
    const { actor } = startChild(playerMachine, { from: 0, times: [], steps: [], faults: [] } as never)
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: { motion: 'paused' } })
  })

  it('in the settings of the account does not log the user out', async () => {
    const { actor, snapshot } = await startSignedIn()
    const before = selectSettings(snapshot())
    actor.send(crashed('settings'))
    expect(snapshot()).toMatchObject({ status: 'active', context: { settingsFailures: 1 } })
    expect(selectSettings(snapshot())).not.toBe(before)
    for (let time = 0; time < 5; time++) actor.send(crashed('settings'))
    expect(snapshot().hasTag('signedIn')).toBe(true)
    expect(snapshot().context.settingsFailures).toBe(3)
  })
})
