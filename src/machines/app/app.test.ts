import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock, type AnyEventObject } from 'xstate'
import { linkForeignQuestion } from '../account/account/page.questions.ts'
import type { AppEvent } from './app.events.ts'
import { lateActorNames } from './app.actors.ts'
import { partNames } from './app.parts.ts'
import { appMachine } from './app.machine.ts'
import {
  changeNotKeptMessage,
  clientRefusedMessage,
  failureMessage,
  registeredMessage,
  resetRequestedMessage,
} from './app.messages.ts'
import { isPartAwaited, isPartThere, isOnline, selectPartFault } from './app.selectors.ts'
import { appInput as input } from '../../../test/machines/app-input.ts'

/** The app machine with children that only record what they are sent. */
function startHouse(hasAllParts = true, hasSession = false) {
  const sent: (readonly [string, AnyEventObject])[] = []
  const recorderOf = (name: string) =>
    fromCallback<AnyEventObject>(({ receive }) => receive(event => sent.push([name, event])))
  const actors = Object.fromEntries(
    Object.keys(appMachine.implementations.actors).map(name => [name, recorderOf(name)]),
  )
  const recordingApp = appMachine.provide({
    actors,
  })
  const late = Object.fromEntries(lateActorNames.map(name => [name, recorderOf(name)]))
  Object.assign(recordingApp.implementations.actors, late)
  const actor = createActor(recordingApp, { input: { ...input, hasSession }, clock: new SimulatedClock() }).start()
  const bring = (): void => partNames.forEach(part => actor.send({ type: 'code.arrived', part }))
  if (hasAllParts) bring()
  sent.length = 0
  return { bring, actor, sent, snapshot: () => actor.getSnapshot(), isOnline: () => isOnline(actor.getSnapshot()) }
}

const checks = [
  ['account', { type: 'account.retry' }],
  ...['relay', 'fleet', 'queryCache', 'series'].map(room => [room, { type: `${room}.check` }]),
]

type ReceivedEvents = readonly (readonly [string, object])[]

const donor = { user: 'Ada', team: 7, secrets: { passkey: '' } }
const pause = { cmd: 'state', state: 'pause' } as const
const link = { type: 'account.linkRequested', id: '__direct__', name: 'Attic', secrets: { token: 't' } } as const
const named = { a: [{ of: 'gpu:01:00:00', tag: 'Left' }] }
const tagChange = { type: 'tags.add', machines: ['a'], tag: 'attic' } as const
const shared = {
  revision: '1',
  tags: { a: ['attic'] },
  views: { views: [], chosen: undefined },
  power: { machines: {}, tariffs: undefined },
  processors: {},
}
const client = { id: 'm', name: 'Attic', owner: undefined, info: {} }

describe('the app', () => {
  it('notes why no client can be reached, until the part that connects runs again', () => {
    const { actor, snapshot } = startHouse()
    actor.send({ type: 'wire.failed', fault: 'serverAway' })
    expect(snapshot().context.wireFault).toBe('serverAway')
    actor.send({ type: 'wire.started' })
    expect(snapshot().context.wireFault).toBeUndefined()
  })

  it('has the code of a part loaded once, and runs its actors from when it is there', () => {
    const { actor, bring, sent, snapshot } = startHouse(false)
    const load = { type: 'code.load', part: 'server' }
    actor.send({ type: 'tags.changed', change: tagChange })
    actor.send({ type: 'app.want', part: 'server' })
    actor.send({ type: 'code.failed', part: 'server', fault: 'serverAway' })
    expect(sent).toEqual([['code', load]])
    expect(selectPartFault('server')(snapshot())).toBe('serverAway')
    actor.send({ type: 'app.want', part: 'server' })
    expect(selectPartFault('server')(snapshot())).toBeUndefined()
    expect(partNames.map(part => isPartThere(part)(snapshot()))).toEqual(partNames.map(() => false))
    bring()
    const { viewer } = snapshot().children as Record<string, unknown>
    bring()
    expect(partNames.map(part => isPartThere(part)(snapshot()))).toEqual(partNames.map(() => true))
    expect((snapshot().children as Record<string, unknown>)['viewer']).toBe(viewer)
    actor.send({ type: 'app.want', part: 'server' })
    expect(sent.filter(([name]) => name === 'code')).toEqual([
      ['code', load],
      ['code', load],
    ])
  })

  describe('where no session is stored', () => {
    it('says so without the code of accounts, and to incidents when they run', () => {
      const { actor, bring, sent } = startHouse(false)
      actor.send({ type: 'account.noSession' })
      expect(sent).toEqual([
        ['fleet', { type: 'fleet.accountSignedOut' }],
        ['memory', { type: 'memory.clearAccount' }],
      ])
      actor.send({ type: 'page.woke', at: 1 })
      expect(sent.filter(([name]) => name === 'code')).toEqual([])
      bring()
      expect(sent.filter(([name]) => name === 'incidents')).toEqual([
        ['incidents', { type: 'incidents.accountSignedOut' }],
      ])
    })

    it('has the code of accounts loaded when another tab signs in', () => {
      const { actor, bring, sent } = startHouse(false)
      actor.send({ type: 'tabs.signedIn', id: 'ada' })
      expect(sent).toEqual([['code', { type: 'code.load', part: 'account' }]])
      bring()
      expect(sent).toContainEqual(['account', { type: 'account.signedInElsewhere', id: 'ada' }])
    })
  })

  it('asks once more for the code of accounts where a session is stored and loading it failed', () => {
    const { actor, sent } = startHouse(false, true)
    actor.send({ type: 'code.failed', part: 'account', fault: 'serverAway' })
    actor.send({ type: 'page.shown', at: 1 })
    expect(sent).toContainEqual(['code', { type: 'code.load', part: 'account' }])
  })

  it('keeps for the history what it must know when it runs', () => {
    const { actor, bring, sent } = startHouse(false)
    actor.send({ type: 'page.hidden', at: 1 })
    actor.send({ type: 'page.shown', at: 2 })
    actor.send({ type: 'page.hidden', at: 3 })
    expect(sent.filter(([name]) => name === 'code')).toEqual([])
    actor.send({ type: 'fleet.unitsEnded', connection: 'm', machine: client, units: [] })
    expect(sent).toContainEqual(['code', { type: 'code.load', part: 'history' }])
    bring()
    expect(sent.flatMap(([name, event]) => (name === 'history' ? [event.type] : []))).toEqual([
      'history.pageShown',
      'history.pageHidden',
      'history.reported',
    ])
  })

  it('keeps the newest thousand events for an actor whose code does not arrive', () => {
    const { actor, bring, sent } = startHouse(false)
    for (let number = 0; number < 1100; number++) actor.send({ type: 'fleet.historyAsked', connection: String(number) })
    bring()
    const asked = sent.filter(([name]) => name === 'history')
    expect(asked.length).toBe(1000)
    expect(asked.at(-1)).toEqual(['history', { type: 'history.asked', connection: '1099' }])
  })

  describe('an event for an actor whose code is not loaded yet', () => {
    const open = { type: 'bulk.open', action: { kind: 'unlink' }, ids: ['m'] } as const
    const want = { type: 'app.want', part: 'bulk', first: { to: 'bulk', event: open } } as const
    const toBulk = ({ sent }: ReturnType<typeof startHouse>) => sent.filter(([name]) => name === 'bulk')

    it('reaches the actor once, when the code arrives at a second attempt', () => {
      const house = startHouse(false)
      house.actor.send(want)
      house.actor.send({ type: 'code.failed', part: 'bulk', fault: 'serverAway' })
      expect(toBulk(house)).toEqual([])
      expect(isPartAwaited('bulk')(house.snapshot())).toBe(true)
      house.actor.send({ type: 'app.want', part: 'bulk' })
      house.bring()
      house.bring()
      expect(toBulk(house)).toEqual([['bulk', open]])
      expect(isPartAwaited('bulk')(house.snapshot())).toBe(false)
    })

    it('reaches an actor that runs at once', () => {
      const house = startHouse()
      house.actor.send(want)
      expect(house.sent).toEqual([['bulk', open]])
    })

    it.each<AppEvent>([
      { type: 'app.giveUp', part: 'bulk' },
      { type: 'account.signedOut', reason: 'elsewhere' },
    ])('is dropped by %j', event => {
      const house = startHouse(false)
      house.actor.send(want)
      house.actor.send(event)
      house.bring()
      expect(toBulk(house)).toEqual([])
    })
  })

  it('notes that this browser keeps nothing', () => {
    const { actor, snapshot } = startHouse()
    expect(snapshot().context.isStorageUnavailable).toBe(false)
    actor.send({ type: 'memory.unavailable' })
    expect(snapshot().context.isStorageUnavailable).toBe(true)
  })

  it.each<readonly [AppEvent, ReceivedEvents]>([
    [{ type: 'relay.clientConnected', id: 'm', at: 2 }, [['fleet', { type: 'relay.clientConnected', id: 'm', at: 2 }]]],
    [
      { type: 'relay.clientDisconnected', id: 'm', at: 2 },
      [['fleet', { type: 'relay.clientDisconnected', id: 'm', at: 2 }]],
    ],
    [{ type: 'relay.lost', at: 2 }, [['fleet', { type: 'relay.lost', at: 2 }]]],
    [{ type: 'relay.missed' }, [['account', { type: 'account.refresh' }]]],
    [
      { type: 'relay.broadcastSent', broadcast: pause, at: 2 },
      [['fleet', { type: 'fleet.broadcastSent', state: 'pause', at: 2 }]],
    ],
    [
      { type: 'relay.broadcastRefused', broadcast: pause },
      [['fleet', { type: 'fleet.broadcastRefused', state: 'pause' }]],
    ],
    [
      { type: 'broadcast.due', broadcast: pause, at: 2 },
      [['relay', { type: 'relay.broadcast', broadcast: pause, at: 2 }]],
    ],
    [
      { type: 'fleet.broadcastWanted', state: 'pause' },
      [['broadcaster', { type: 'broadcast.send', broadcast: pause }]],
    ],
    [{ type: 'wire.restart' }, [['wire', { type: 'wire.restart' }]]],
    [{ type: 'power.started' }, [['serverShared', { type: 'shared.refresh' }]]],
    [{ type: 'processors.started' }, [['serverShared', { type: 'shared.refresh' }]]],
    [
      { type: 'processors.changed', change: { type: 'processors.note', machine: 'a', notes: [] } },
      [['serverShared', { type: 'shared.change', change: { type: 'processors.note', machine: 'a', notes: [] } }]],
    ],
    [
      { type: 'power.changed', change: { type: 'power.profile', machine: 'a', profile: { gpus: {} } } },
      [
        [
          'serverShared',
          { type: 'shared.change', change: { type: 'power.profile', machine: 'a', profile: { gpus: {} } } },
        ],
      ],
    ],
    [{ type: 'tags.named', tags: named }, [['fleet', { type: 'fleet.chosen', choices: { tags: named } }]]],
    [{ type: 'tags.changed', change: tagChange }, [['serverShared', { type: 'shared.change', change: tagChange }]]],
    [
      { type: 'views.changed', change: { type: 'views.delete', name: 'x' } },
      [['serverShared', { type: 'shared.change', change: { type: 'views.delete', name: 'x' } }]],
    ],
    [
      { type: 'shared.received', shared, isCopied: true },
      [
        ['tags', { type: 'tags.served', tags: shared.tags, isCopied: true }],
        ['views', { type: 'views.served', views: shared.views, isCopied: true }],
        ['power', { type: 'power.served', power: shared.power, isCopied: true }],
        ['processors', { type: 'processors.served', notes: shared.processors, isCopied: true }],
      ],
    ],
    [
      { type: 'shared.notKept', reason: 'no' },
      [['dialogs', { type: 'dialogs.showMessage', message: changeNotKeptMessage('no') }]],
    ],
    [
      { type: 'shared.notKept', reason: undefined },
      [['dialogs', { type: 'dialogs.showMessage', message: changeNotKeptMessage(undefined) }]],
    ],
    [{ type: 'fleet.listOutdated' }, [['account', { type: 'account.refresh' }]]],
    [
      { type: 'fleet.unlinkedClientFound', id: 'm', name: 'Attic' },
      [['account', { type: 'account.linkClient', id: 'm', name: 'Attic' }]],
    ],
    [{ type: 'fleet.localDonorChanged', donor }, [['donor', { type: 'donor.localChanged', donor }]]],
    [{ type: 'fleet.historyAsked', connection: 'a' }, [['history', { type: 'history.asked', connection: 'a' }]]],
    [
      { type: 'fleet.unitsEnded', connection: 'a', machine: client, units: [] },
      [['history', { type: 'history.reported', connection: 'a', machine: client, units: [] }]],
    ],
    [{ type: 'history.requested' }, [['fleet', { type: 'fleet.reportHistory' }]]],
    [{ type: 'history.requested', ids: ['a'] }, [['fleet', { type: 'fleet.reportHistory', ids: ['a'] }]]],
    [
      { type: 'history.clonesFound', clones: { m: 'computer' } },
      [['fleet', { type: 'fleet.clonesKnown', clones: { m: 'computer' } }]],
    ],
    [{ type: 'memory.restored', machines: [] }, [['fleet', { type: 'fleet.restored', machines: [] }]]],
    [{ type: 'check.reached' }, [['fleet', { type: 'fleet.retry' }]]],
    [{ type: 'connect.agreed', address: 'attic' }, [['fleet', { type: 'fleet.connect', address: 'attic' }]]],
    [
      { type: 'directClients.added', address: 'attic', name: 'Upstairs' },
      [['fleet', { type: 'fleet.connect', address: 'attic', name: 'Upstairs' }]],
    ],
    [
      { type: 'fleet.clientRefused', address: 'attic:7396' },
      [['dialogs', { type: 'dialogs.showMessage', message: clientRefusedMessage('attic:7396') }]],
    ],
    [
      { type: 'resource.changed', key: 'version', known: { isThere: true, value: '8.5.7' } },
      [['fleet', { type: 'fleet.latestVersionChanged', version: '8.5.7' }]],
    ],
    [{ type: 'resource.changed', key: 'causes', known: { isThere: true, value: [] } }, []],
    [{ type: 'tabs.signedOut' }, [['account', { type: 'account.signedOutElsewhere' }]]],
    [{ type: 'fleet.addressesChanged', clients: [] }, [['fleet', { type: 'fleet.addressesChanged', clients: [] }]]],
    [{ type: 'tabs.signedIn', id: 'me' }, [['account', { type: 'account.signedInElsewhere', id: 'me' }]]],
    [{ type: 'relay.refused' }, [['clock', { type: 'clock.check' }]]],
    [
      { type: 'account.noSession' },
      [
        ['incidents', { type: 'incidents.accountSignedOut' }],
        ['fleet', { type: 'fleet.accountSignedOut' }],
        ['memory', { type: 'memory.clearAccount' }],
      ],
    ],
    [
      { type: 'signIn.registered', email: 'a@b.c' },
      [['dialogs', { type: 'dialogs.showMessage', message: registeredMessage('a@b.c') }]],
    ],
    [
      { type: 'signIn.resetRequested', email: 'a@b.c' },
      [['dialogs', { type: 'dialogs.showMessage', message: resetRequestedMessage('a@b.c') }]],
    ],
    [{ type: 'reset.finished' }, [['account', { type: 'account.refresh' }]]],
    [
      { type: 'account.appearanceSaved', config: { dark: true } },
      [['preferences', { type: 'preferences.applyAccount', appearance: { theme: 'dark' } }]],
    ],
    [
      { type: 'account.appearancePreviewed', config: { wide: true } },
      [['preferences', { type: 'preferences.preview', appearance: { wide: true } }]],
    ],
    [
      { type: 'account.appearancePreviewed', config: undefined },
      [['preferences', { type: 'preferences.preview', appearance: undefined }]],
    ],
    [
      { type: 'account.failed', failure: 'save', fault: { kind: 'unreachable', message: '' } },
      [
        [
          'dialogs',
          { type: 'dialogs.showMessage', message: failureMessage('save', { kind: 'unreachable', message: '' }) },
        ],
      ],
    ],
    [
      { type: 'fleet.machinesGone', machines: [{ id: 'm', name: 'Attic' }] },
      [
        ['selection', { type: 'selection.machinesGone', machines: [{ id: 'm', name: 'Attic' }] }],
        ['bulk', { type: 'bulk.machinesGone', machines: [{ id: 'm', name: 'Attic' }] }],
      ],
    ],
    [
      { type: 'account.broadcastRequested', cmd: 'restart', secrets: {} },
      [['broadcaster', { type: 'broadcast.send', broadcast: { cmd: 'restart' } }]],
    ],
  ])('passes %o on to whom it concerns', (event, received) => {
    const { actor, sent } = startHouse()
    actor.send(event)
    expect(sent).toEqual(received)
  })

  it('retries at once when the page becomes visible', () => {
    const { actor, sent } = startHouse()
    actor.send({ type: 'page.shown', at: 1 })
    expect(sent).toEqual([
      ['account', { type: 'account.retry' }],
      ['relay', { type: 'relay.pageShown' }],
      ['fleet', { type: 'fleet.pageSeen', isHidden: false }],
      ['fleet', { type: 'fleet.retry' }],
      ['series', { type: 'series.check' }],
      ['history', { type: 'history.pageShown' }],
    ])
  })

  it('asks no client for its history while it is hidden, and after a while follows none of the account', () => {
    const { actor, sent } = startHouse()
    actor.send({ type: 'page.hidden', at: 1 })
    expect(sent).toEqual([
      ['history', { type: 'history.pageHidden' }],
      ['relay', { type: 'relay.pageHidden' }],
      ['fleet', { type: 'fleet.pageSeen', isHidden: true }],
    ])
  })

  it('has the account fetched again when it was changed elsewhere, which a command to fold is not', () => {
    const { actor, sent } = startHouse()
    for (const cmd of ['state', 'config', 'restart'])
      actor.send({ type: 'relay.broadcastReceived', cmd, time: 7000, at: 7100 })
    expect(sent).toEqual([0, 1].map(() => ['account', { type: 'account.changedElsewhere', time: 7000 }]))
  })

  it('sends a state one by one when a broadcast is refused, and notifies the user of other refused broadcasts', () => {
    const { actor, sent } = startHouse()
    actor.send({ type: 'broadcast.refused', broadcast: { cmd: 'state', state: 'pause' }, because: 'clock' })
    expect(sent).toEqual([['fleet', { type: 'fleet.broadcastRefused', state: 'pause' }]])
    actor.send({ type: 'broadcast.refused', broadcast: { cmd: 'restart' }, because: 'clock' })
    expect(sent.slice(1)).toMatchObject([
      ['dialogs', { type: 'dialogs.showMessage', message: { title: 'Machines were not notified' } }],
    ])
  })

  it('has each part forget the account that was left', () => {
    const { actor, sent } = startHouse()
    actor.send({ type: 'account.signedOut', reason: 'signedOut' })
    expect(sent.map(([, { type }]) => type)).toEqual([
      'selection.clear',
      'bulk.reset',
      'relay.deactivate',
      'incidents.accountSignedOut',
      'fleet.accountSignedOut',
      'memory.clearAccount',
      'history.accountSignedOut',
      'records.accountChanged',
      'viewer.clearStore',
      'molecules.clear',
      'preferences.preview',
      'preferences.resetAccount',
      'donor.signedOut',
      'queryCache.clearPersonal',
      'series.clearPersonal',
      'dialogs.withdraw',
      'tabs.send',
    ])
  })

  it.each<readonly [AppEvent, readonly string[]]>([
    [{ type: 'account.signedOut', reason: 'sessionEnded' }, ['Logged out']],
    [{ type: 'account.signedOut', reason: 'deleted' }, ['Account deleted']],
    [{ type: 'account.signedOut', reason: 'signedOut' }, []],
    [{ ...link, isAsked: false }, ['Auto-linking client']],
    [{ ...link, isAsked: true }, []],
  ])('shows messages after %o: %j [4.11, 8.1]', (event, titles) => {
    const { actor, sent } = startHouse()
    actor.send(event)
    const shown = sent.flatMap(([, { type, ...rest }]) => (type === 'dialogs.showMessage' ? [rest] : []))
    expect(shown).toMatchObject(titles.map(title => ({ message: { title } })))
  })

  it('asks before the client on this computer is taken from another account', () => {
    const { actor, sent } = startHouse()
    actor.send({ type: 'fleet.foreignClientFound', id: '__direct__', name: 'Attic' })
    expect(sent).toEqual([['dialogs', { type: 'dialogs.ask', dialog: linkForeignQuestion('__direct__', 'Attic') }]])
  })

  it('checks every connection when the computer wakes up and when the network is back', () => {
    const { actor, sent, isOnline: online } = startHouse()
    actor.send({ type: 'page.woke', at: 1 })
    expect(sent).toEqual([['clock', { type: 'clock.check' }], ...checks])
    sent.length = 0
    actor.send({ type: 'network.lost', at: 2 })
    expect(online()).toBe(false)
    expect(sent).toEqual([])
    actor.send({ type: 'network.regained', at: 3 })
    expect(online()).toBe(true)
    expect(sent).toEqual(checks)
  })
})
