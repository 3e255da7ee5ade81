import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock, type AnyEventObject } from 'xstate'
import { linkForeignQuestion } from '../../account/account/account.questions.ts'
import { defaultPreferences } from '../preferences/preferences.machine.ts'
import type { AppEvent } from './app.events.ts'
import type { AppInput } from './app.actors.ts'
import { appMachine } from './app.machine.ts'
import { isForgetful, isOnline, selectWireFault } from './app.selectors.ts'

const input: AppInput = {
  at: 0,
  preferences: defaultPreferences,
  fleet: { defaultAddress: '', addresses: [] },
  nodeScheme: 'wss',
  isSecure: true,
  awardsUrl: '',
  providers: [],
}

/** The house with rooms that only write down what they are told. */
const startHouse = () => {
  const told: (readonly [string, AnyEventObject])[] = []
  const roomOf = (name: string) =>
    fromCallback<AnyEventObject>(({ receive }) => receive(event => told.push([name, event])))
  const rooms = Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, roomOf(name)]))
  const house = appMachine.provide({ actors: rooms as unknown as typeof appMachine.implementations.actors as never })
  const actor = createActor(house, { input, clock: new SimulatedClock() }).start()
  told.length = 0
  return { actor, told, snapshot: () => actor.getSnapshot(), isOnline: () => isOnline(actor.getSnapshot()) }
}

const checks = [
  ['account', { type: 'account.retry' }],
  ...['relay', 'fleet', 'library', 'series'].map(room => [room, { type: `${room}.check` }]),
]

type Heard = readonly (readonly [string, object])[]

const donor = { user: 'Ada', team: 7, secrets: { passkey: '' } }
const pause = { cmd: 'state', state: 'pause' } as const
const machine = { id: 'm', name: 'Attic', owner: undefined, info: {} }

describe('the house', () => {
  it('notes why no machine can be reached, until the part that connects runs again', () => {
    const { actor, snapshot } = startHouse()
    actor.send({ type: 'wire.failed', fault: 'serverAway' })
    expect(selectWireFault(snapshot())).toBe('serverAway')
    actor.send({ type: 'wire.started' })
    expect(selectWireFault(snapshot())).toBeUndefined()
  })

  it('notes that this browser keeps nothing', () => {
    const { actor, snapshot } = startHouse()
    expect(isForgetful(snapshot())).toBe(false)
    actor.send({ type: 'memory.unavailable' })
    expect(isForgetful(snapshot())).toBe(true)
  })

  it.each<readonly [AppEvent, Heard]>([
    [
      { type: 'relay.clientConnected', id: 'm', loginTime: 1, at: 2 },
      [['fleet', { type: 'relay.clientConnected', id: 'm', loginTime: 1, at: 2 }]],
    ],
    [
      { type: 'relay.clientDisconnected', id: 'm', at: 2 },
      [['fleet', { type: 'relay.clientDisconnected', id: 'm', at: 2 }]],
    ],
    [{ type: 'relay.lost', at: 2 }, [['fleet', { type: 'relay.lost', at: 2 }]]],
    [
      { type: 'relay.broadcastSent', broadcast: pause, at: 2 },
      [['fleet', { type: 'fleet.broadcastSent', word: 'pause', at: 2 }]],
    ],
    [
      { type: 'relay.broadcastRefused', broadcast: pause },
      [['fleet', { type: 'fleet.broadcastRefused', word: 'pause' }]],
    ],
    [
      { type: 'broadcast.due', broadcast: pause, at: 2 },
      [['relay', { type: 'relay.broadcast', broadcast: pause, at: 2 }]],
    ],
    [{ type: 'fleet.broadcastWanted', word: 'pause' }, [['broadcaster', { type: 'broadcast.send', broadcast: pause }]]],
    [{ type: 'wire.restart' }, [['wire', { type: 'wire.restart' }]]],
    [{ type: 'fleet.listIsOld' }, [['account', { type: 'account.refresh' }]]],
    [
      { type: 'fleet.clientIsUnlinked', id: 'm', name: 'Attic' },
      [['account', { type: 'account.linkClient', id: 'm', name: 'Attic' }]],
    ],
    [{ type: 'fleet.localDonorLearned', donor }, [['donor', { type: 'donor.localLearned', donor }]]],
    [{ type: 'fleet.unitsEnded', machine, units: [] }, [['history', { type: 'history.reported', machine, units: [] }]]],
    [{ type: 'history.wanted' }, [['fleet', { type: 'fleet.collect' }]]],
    [{ type: 'memory.recalled', machines: [] }, [['fleet', { type: 'fleet.recalled', machines: [] }]]],
    [{ type: 'check.reached' }, [['fleet', { type: 'fleet.retry' }]]],
    [{ type: 'connect.agreed', address: 'attic' }, [['fleet', { type: 'fleet.connect', address: 'attic' }]]],
    [
      { type: 'resource.learned', key: 'version', known: { isThere: true, value: '8.5.7' } },
      [['fleet', { type: 'fleet.versionLearned', version: '8.5.7' }]],
    ],
    [{ type: 'resource.learned', key: 'causes', known: { isThere: true, value: [] } }, []],
    [{ type: 'tabs.signedOut' }, [['account', { type: 'account.leftElsewhere' }]]],
    [{ type: 'tabs.signedIn', id: 'me' }, [['account', { type: 'account.enteredElsewhere', id: 'me' }]]],
    [{ type: 'relay.refused' }, [['clock', { type: 'clock.doubted' }]]],
    [
      { type: 'account.nobody' },
      [
        ['fleet', { type: 'fleet.accountLeft' }],
        ['memory', { type: 'memory.forgetAccount' }],
      ],
    ],
    [
      { type: 'account.told', cmd: 'restart', secrets: {} },
      [['broadcaster', { type: 'broadcast.send', broadcast: { cmd: 'restart' } }]],
    ],
  ])('passes %o on to whom it concerns', (event, heard) => {
    const { actor, told } = startHouse()
    actor.send(event)
    expect(told).toEqual(heard)
  })

  it('tries at once what is due later when somebody looks at the page again', () => {
    const { actor, told } = startHouse()
    actor.send({ type: 'page.shown', at: 1 })
    expect(told).toEqual([
      ['account', { type: 'account.retry' }],
      ['relay', { type: 'relay.retry' }],
      ['fleet', { type: 'fleet.retry' }],
      ['series', { type: 'series.check' }],
    ])
  })

  it('has the account fetched again when it was changed elsewhere, which a command to fold is not', () => {
    const { actor, told } = startHouse()
    for (const cmd of ['state', 'config', 'restart'])
      actor.send({ type: 'relay.broadcastReceived', cmd, time: 7000, at: 7100 })
    expect(told).toEqual([0, 1].map(() => ['account', { type: 'account.changedElsewhere', time: 7000 }]))
  })

  it('tells machines one by one what no broadcast could tell them, and a person what they do not know now', () => {
    const { actor, told } = startHouse()
    actor.send({ type: 'broadcast.refused', broadcast: { cmd: 'state', state: 'pause' }, because: 'clock' })
    expect(told).toEqual([['fleet', { type: 'fleet.broadcastRefused', word: 'pause' }]])
    actor.send({ type: 'broadcast.refused', broadcast: { cmd: 'restart' }, because: 'clock' })
    expect(told.slice(1)).toMatchObject([
      ['dialogs', { type: 'dialogs.tell', message: { title: 'Machines were not told' } }],
    ])
  })

  it('asks before the client on this computer is taken from another account', () => {
    const { actor, told } = startHouse()
    actor.send({ type: 'fleet.clientIsForeign', id: '__direct__', name: 'Attic' })
    expect(told).toEqual([['dialogs', { type: 'dialogs.ask', dialog: linkForeignQuestion('__direct__', 'Attic') }]])
  })

  it('looks after every connection when the computer wakes and when the network is back', () => {
    const { actor, told, isOnline: online } = startHouse()
    actor.send({ type: 'page.woke', at: 1 })
    expect(told).toEqual([['clock', { type: 'clock.doubted' }], ...checks])
    told.length = 0
    actor.send({ type: 'network.lost', at: 2 })
    expect([online(), told]).toEqual([false, []])
    actor.send({ type: 'network.regained', at: 3 })
    expect([online(), told]).toEqual([true, checks])
  })
})
