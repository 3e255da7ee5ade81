import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { LoadError, type LoadFault } from '../../../folding/shared/load-fault.ts'
import { createMask } from '../../../journal/mask.ts'
import { saveActor } from '../../../journal/checkpoint.ts'
import { startReplay, withoutEffects } from '../../../journal/replay.ts'
import { isAccountLoading, isSignedIn } from '../../account/account/account.selectors.ts'
import { isLogOpen } from '../../screens/log/log.selectors.ts'
import { defaultPreferences } from '../preferences/preferences.machine.ts'
import type { DeferredGroup } from '../deferred.ts'
import { selectGroupState, systemOf } from '../system.ts'
import { deferredActors, type AppInput } from './app.actors.ts'
import { appMachine, type AppRef } from './app.machine.ts'
import { notLoadedMessage } from './app.messages.ts'
import { completeAppMachine, deferredMachines } from './complete-app.ts'

const input: AppInput = {
  at: 0,
  preferences: defaultPreferences,
  fleet: { defaultAddress: '', addresses: [] },
  nodeScheme: 'wss',
  isSecure: true,
  awardsUrl: '',
  providers: [],
  defers: true,
}

type Sent = readonly (readonly [string, AnyEventObject])[]

/** The app whose children record what they are sent. Loading a group fails with the faults of the list, then succeeds. */
const startApp = ({ hasSession = false, faults = [] as readonly LoadFault[] } = {}) => {
  const sent: (readonly [string, AnyEventObject])[] = []
  const loads: DeferredGroup[] = []
  const left = [...faults]
  const recorderOf = (name: string) =>
    fromCallback<AnyEventObject>(({ receive }) => receive(event => sent.push([name, event])))
  const { groupLoader: _, ...rest } = appMachine.implementations.actors
  const recorders = Object.fromEntries(
    Object.keys(rest).flatMap(name => (deferredActors.has(name) ? [] : [[name, recorderOf(name)]])),
  )
  const machine = appMachine.provide({
    actors: {
      ...(recorders as object),
      groupLoader: fromPromise<undefined, { readonly code: DeferredGroup }>(({ input: { code: group } }) => {
        loads.push(group)
        const fault = left.shift()
        if (fault !== undefined) return Promise.reject(new LoadError(fault))
        for (const [name, about] of deferredActors)
          if (about.group === group) Object.assign(machine.implementations.actors, { [name]: recorderOf(name) })
        return Promise.resolve(undefined)
      }),
    },
  })
  const app = createActor(machine, { input: { ...input, hasSession }, clock: new SimulatedClock() }).start() as AppRef
  const started = (): readonly string[] =>
    Object.keys(app.getSnapshot().children).filter(name => deferredActors.has(name))
  const state = (group: DeferredGroup) => selectGroupState(app, group)(app.getSnapshot())
  const sentTo = (name: string): Sent => sent.filter(([to]) => to === name)
  return { app, system: systemOf(app), sent, sentTo, loads, started, state }
}

describe('a deferred actor', () => {
  it('is neither loaded nor started before it is needed', async () => {
    const { loads, started, state } = startApp()
    await settled()
    expect([loads, started(), state('log')]).toEqual([[], [], 'waiting'])
  })

  it('is loaded once for the events of screens, and gets them in their order', async () => {
    const { system, sentTo, loads, started, state } = startApp()
    system.history.send({ type: 'history.open' })
    system.history.send({ type: 'history.dismiss' })
    expect([state('history'), sentTo('history')]).toEqual(['loading', []])
    await settled()
    system.history.send({ type: 'history.clear' })
    expect(loads).toEqual(['history'])
    expect(started()).toEqual(['history'])
    expect(sentTo('history').map(([, { type }]) => type)).toEqual(['history.open', 'history.dismiss', 'history.clear'])
  })

  it('starts with the others of its group, after a screen wants it', async () => {
    const { app, started, state } = startApp()
    app.send({ type: 'deferred.want', code: 'account' })
    app.send({ type: 'deferred.want', code: 'account' })
    await settled()
    expect([...started()].sort()).toEqual(['account', 'broadcaster', 'relay', 'reset', 'signIn', 'verify'])
    expect(state('account')).toBe('started')
  })

  it('is not loaded for what means nothing to an actor that just starts', async () => {
    const { app, loads } = startApp()
    app.send({ type: 'page.shown', at: 1 })
    app.send({ type: 'fleet.unitsEnded', machine: { id: 'm', name: 'Attic', owner: undefined, info: {} }, units: [] })
    app.send({ type: 'fleet.listOutdated' })
    await settled()
    expect(loads).toEqual([])
    app.send({ type: 'deferred.want', code: 'history' })
    await settled()
    expect(loads).toEqual(['history'])
  })

  it('is loaded for what it has to do although no screen shows it', async () => {
    const { app, loads, sentTo } = startApp()
    app.send({ type: 'tabs.signedIn', id: 'me' })
    app.send({ type: 'account.signedOut', reason: 'elsewhere' })
    await settled()
    expect([...loads].sort()).toEqual(['account', 'history', 'series', 'viewer'])
    expect(sentTo('account')).toEqual([['account', { type: 'account.signedInElsewhere', id: 'me' }]])
    expect(sentTo('viewer')).toEqual([['viewer', { type: 'viewer.clearStore' }]])
    expect(sentTo('history')).toEqual([['history', { type: 'history.accountSignedOut' }]])
  })

  it('that cannot be loaded is tried again when it is needed again, and when the network is back', async () => {
    const { app, system, sentTo, loads, state } = startApp({ faults: ['serverAway', 'serverAway', 'serverAway'] })
    app.send({ type: 'deferred.want', code: 'log' })
    await settled()
    expect([state('log'), sentTo('dialogs')]).toEqual(['serverAway', []])
    system.history.send({ type: 'history.open' })
    await settled()
    expect(sentTo('dialogs')).toEqual([
      ['dialogs', { type: 'dialogs.showMessage', message: notLoadedMessage('serverAway') }],
    ])
    system.history.send({ type: 'history.dismiss' })
    await settled()
    expect([loads, state('history')]).toEqual([['log', 'history', 'history'], 'serverAway'])
    app.send({ type: 'network.regained', at: 1 })
    await settled()
    expect([state('log'), state('history')]).toEqual(['started', 'started'])
    expect(sentTo('history').map(([, { type }]) => type)).toEqual(['history.open', 'history.dismiss'])
  })

  it('keeps a bounded number of events', async () => {
    const { app, system, sentTo } = startApp({ faults: ['serverAway'] })
    for (let time = 0; time < 500; time++) system.history.send({ type: 'history.dismiss' })
    await settled()
    app.send({ type: 'page.shown', at: 1 })
    await settled()
    expect(sentTo('history').length).toBe(100)
  })
})

describe('the account', () => {
  it('waits where no session is stored, and the machines of an account are forgotten at once', () => {
    const { system, sent, loads } = startApp()
    expect(loads).toEqual([])
    expect([isSignedIn(system.account.getSnapshot()), isAccountLoading(system.account.getSnapshot())]).toEqual([
      false,
      false,
    ])
    expect(sent).toEqual(
      expect.arrayContaining([
        ['fleet', { type: 'fleet.accountSignedOut' }],
        ['memory', { type: 'memory.clearAccount' }],
      ]),
    )
  })

  it('is loaded at once where a session is stored, and is loading until then', async () => {
    const { system, sent, loads, started } = startApp({ hasSession: true })
    expect([loads, isAccountLoading(system.account.getSnapshot())]).toEqual([['account'], true])
    expect(sent.filter(([to]) => to === 'fleet')).toEqual([])
    await settled()
    expect(started()).toContain('account')
  })

  it('says when it cannot be loaded', async () => {
    const { sentTo, system } = startApp({ hasSession: true, faults: ['newVersion'] })
    await settled()
    expect(sentTo('dialogs')).toEqual([
      ['dialogs', { type: 'dialogs.showMessage', message: notLoadedMessage('newVersion') }],
    ])
    expect(isAccountLoading(system.account.getSnapshot())).toBe(false)
  })
})

describe('the reference to a deferred actor', () => {
  const startReal = () => {
    const machine = withoutEffects(appMachine).provide({
      actors: {
        groupLoader: fromPromise(() => {
          for (const [name, logic] of Object.entries(deferredMachines))
            Object.assign(machine.implementations.actors as object, { [name]: withoutEffects(logic) })
          return Promise.resolve(undefined)
        }),
      } as never,
    })
    const app = createActor(machine, { input, clock: new SimulatedClock() }).start() as unknown as AppRef
    return { app, system: systemOf(app) }
  }

  it('stays the same, and is followed from the start of its actor on', async () => {
    const { system } = startReal()
    const { signIn } = system
    const seen: unknown[] = []
    const subscription = signIn.subscribe(snapshot => seen.push(snapshot.hasTag('open')))
    expect(signIn.getSnapshot().hasTag('open')).toBe(false)
    signIn.send({ type: 'signIn.open' })
    await settled()
    expect(system.signIn).toBe(signIn)
    expect(signIn.getSnapshot().hasTag('open')).toBe(true)
    expect(seen.at(-1)).toBe(true)
    subscription.unsubscribe()
    const { length } = seen
    signIn.send({ type: 'signIn.cancel' })
    expect([signIn.getSnapshot().hasTag('open'), seen.length]).toEqual([false, length])
  })

  it('gives the same snapshot until the actor starts', () => {
    const { system } = startReal()
    expect(system.relay.getSnapshot()).toBe(system.relay.getSnapshot())
    expect(system.relay.getSnapshot().can({ type: 'relay.check' })).toBe(true)
  })
})

describe('a recording', () => {
  it('repeats when an actor was started, and shows the others as they would be', async () => {
    const machine = withoutEffects(completeAppMachine)
    const mask = createMask(new Set(['passphrase']))
    const app = createActor(machine, { systemId: 'app', input, clock: new SimulatedClock() }).start()
    const checkpoint = { seq: 0, at: 0, root: saveActor(app, mask).saved }
    const replay = startReplay(machine, checkpoint)
    const system = systemOf(replay.root as never)
    const names = (): readonly string[] =>
      Object.keys((replay.root as unknown as AppRef).getSnapshot().children).filter(name => deferredActors.has(name))
    expect([names(), isLogOpen(system.log.getSnapshot())]).toEqual([[], false])
    expect(selectGroupState(system.app, 'log')(system.app.getSnapshot())).toBe('started')
    replay.deliver({ seq: 1, at: 1, to: '', event: { type: 'deferred.want', code: 'log' } })
    expect(names()).toEqual([])
    replay.deliver({
      seq: 2,
      at: 2,
      to: 'load:log',
      event: { type: 'xstate.promise.resolve', data: undefined },
    })
    await settled()
    expect(names()).toEqual(['log'])
  })
})
