import { linkForeignQuestion } from '../account/account/page.questions.ts'
import type { SignOutReason } from '../account/account/account.events.ts'
import type { BroadcastContent } from '../connection/broadcast/broadcast.events.ts'
import type { FleetFact } from '../connection/fleet/fleet.events.ts'
import type { Preferences } from './preferences/preferences.events.ts'
import type { Message } from '../shared/dialogs/dialogs.events.ts'
import type { AppInput, Delivery } from './app.actors.ts'
import type { AppEvent } from './app.events.ts'
import {
  autoLinkMessage,
  broadcastFailedMessage,
  changeNotKeptMessage,
  clientRefusedMessage,
  deletedMessage,
  failureMessage,
  registeredMessage,
  resetRequestedMessage,
  sessionEndMessage,
} from './app.messages.ts'
import { appearanceOf, clientListOf, donorOf, relayCommandOf } from './app.wiring.ts'

type Deliveries = readonly Delivery[]

type Routes = {
  readonly [Type in AppEvent['type']]?: (event: Extract<AppEvent, { type: Type }>, input: AppInput) => Deliveries
}

function to<Name extends Delivery['to']>(
  name: Name,
  event: Extract<Delivery, { readonly to: Name }>['event'],
  absent?: Delivery['absent'],
): Delivery {
  return { to: name, event, ...(absent === undefined ? {} : { absent }) } as Delivery
}

function show(message: Message | undefined): Deliveries {
  return message === undefined ? [] : [to('dialogs', { type: 'dialogs.showMessage', message })]
}

function broadcast(content: BroadcastContent): Delivery {
  return to('broadcaster', { type: 'broadcast.send', broadcast: content })
}

function broadcastFailed(content: BroadcastContent, isClockWrong: boolean): Deliveries {
  return [
    ...show(broadcastFailedMessage(content, isClockWrong)),
    ...(content.cmd === 'state' ? [to('fleet', { type: 'fleet.broadcastRefused', state: content.state })] : []),
  ]
}

const leavingMessages: Partial<Record<SignOutReason, Message>> = {
  sessionEnded: sessionEndMessage,
  deleted: deletedMessage,
}

const refreshAccount = to('account', { type: 'account.refresh' })

const checkConnections: Deliveries = [
  to('account', { type: 'account.retry' }),
  to('relay', { type: 'relay.check' }),
  to('fleet', { type: 'fleet.check' }),
  to('queryCache', { type: 'queryCache.check' }),
  to('series', { type: 'series.check' }),
]

function fleetPreferences({ putAway, speed }: Preferences): FleetFact {
  return { type: 'fleet.chosen', choices: { putAway, speed } }
}

/** What leads to what between the actors of the app: for an event of one of them, the events that others are sent. */
export const routes = {
  'resource.changed': ({ key, known }) => {
    const version = known.isThere && typeof known.value === 'string' ? known.value : undefined
    return key === 'version' ? [to('fleet', { type: 'fleet.latestVersionChanged', version })] : []
  },
  'preferences.saved': ({ preferences }) => [
    to('tabs', { type: 'tabs.send', fact: { type: 'tabs.preferencesChanged', preferences } }),
    to('fleet', fleetPreferences(preferences)),
  ],

  'connect.agreed': ({ address }) => [to('fleet', { type: 'fleet.connect', address })],
  'directClients.added': ({ address, name }) => [to('fleet', { type: 'fleet.connect', address, name })],
  // A check found it: no reason to wait for the next attempt.
  'check.reached': () => [to('fleet', { type: 'fleet.retry' })],

  'signIn.registered': ({ email }) => show(registeredMessage(email)),
  'signIn.resetRequested': ({ email }) => show(resetRequestedMessage(email)),
  // The server ended all sessions of that account. If it is this one's, it leaves.
  'reset.finished': () => [refreshAccount],

  'account.sessionStarted': event => [to('account', event)],
  'account.changed': ({ signedIn }, { nodeScheme }) => [
    to('fleet', clientListOf(signedIn)),
    to('history', { type: 'history.accountSignedIn', account: signedIn.keys.id }, 'keep'),
    to('incidents', { type: 'incidents.accountSignedIn', account: signedIn.keys.id }, 'keep'),
    to('relay', relayCommandOf(signedIn, nodeScheme)),
    to('preferences', { type: 'preferences.applyAccount', appearance: appearanceOf(signedIn.account.config) }),
    to('donor', donorOf(signedIn)),
  ],
  'account.loggedIn': ({ id }) => [
    to('tabs', { type: 'tabs.send', fact: { type: 'tabs.signedIn', id } }),
    to('fleet', { type: 'fleet.linkWhenConnected' }),
  ],
  'account.appearanceSaved': ({ config }) => [
    to('preferences', { type: 'preferences.applyAccount', appearance: appearanceOf(config) }),
  ],
  'account.appearancePreviewed': ({ config }) => [
    to('preferences', {
      type: 'preferences.preview',
      appearance: config === undefined ? undefined : appearanceOf(config),
    }),
  ],
  'account.broadcastRequested': ({ cmd, secrets }) => [
    broadcast(cmd === 'restart' ? { cmd } : { cmd, secrets: { config: secrets.config ?? {} } }),
  ],
  'account.linkRequested': ({ id, name, secrets, isAsked }) => [
    to('fleet', { type: 'fleet.link', id, name, secrets }),
    ...(isAsked ? [] : show(autoLinkMessage(id))),
  ],
  'account.failed': ({ failure, fault }) => show(failureMessage(failure, fault)),
  'account.noSession': () => [
    to('incidents', { type: 'incidents.accountSignedOut' }, 'keep'),
    to('fleet', { type: 'fleet.accountSignedOut' }),
    to('memory', { type: 'memory.clearAccount' }),
  ],
  'account.signedOut': ({ reason }) => [
    // First: names of the account's clients are not kept.
    to('selection', { type: 'selection.clear' }),
    to('bulk', { type: 'bulk.reset' }),
    to('relay', { type: 'relay.deactivate' }),
    to('incidents', { type: 'incidents.accountSignedOut' }, 'keep'),
    to('fleet', { type: 'fleet.accountSignedOut' }),
    to('memory', { type: 'memory.clearAccount' }),
    to('history', { type: 'history.accountSignedOut' }, 'keep'),
    to('records', { type: 'records.accountChanged', account: null }),
    to('viewer', { type: 'viewer.clearStore' }),
    to('molecules', { type: 'molecules.clear' }),
    to('preferences', { type: 'preferences.preview', appearance: undefined }),
    to('preferences', { type: 'preferences.resetAccount' }),
    to('donor', { type: 'donor.signedOut' }),
    to('queryCache', { type: 'queryCache.clearPersonal' }),
    to('series', { type: 'series.clearPersonal' }),
    to('dialogs', { type: 'dialogs.withdraw', id: 'account' }),
    ...show(leavingMessages[reason]),
    ...(reason === 'elsewhere' ? [] : [to('tabs', { type: 'tabs.send', fact: { type: 'tabs.signedOut' } })]),
  ],

  'relay.clientConnected': event => [to('fleet', event)],
  'relay.clientDisconnected': event => [to('fleet', event)],
  'relay.lost': event => [to('fleet', event)],
  'relay.refused': () => [to('clock', { type: 'clock.check' })],
  'relay.missed': () => [refreshAccount],
  'relay.broadcastReceived': ({ cmd, time }) =>
    cmd === 'config' || cmd === 'restart' ? [to('account', { type: 'account.changedElsewhere', time })] : [],
  'relay.broadcastSent': ({ broadcast: content, at }) =>
    content.cmd === 'state' ? [to('fleet', { type: 'fleet.broadcastSent', state: content.state, at })] : [],
  'relay.broadcastRefused': event => broadcastFailed(event.broadcast, false),
  'broadcast.due': ({ broadcast: content, at }) => [to('relay', { type: 'relay.broadcast', broadcast: content, at })],
  'broadcast.refused': event => broadcastFailed(event.broadcast, true),

  'fleet.clientRefused': ({ address }) => show(clientRefusedMessage(address)),
  'fleet.historyAsked': ({ connection }) => [to('history', { type: 'history.asked', connection }, 'load')],
  'fleet.unitsEnded': ({ connection, machine, units }) => [
    to('history', { type: 'history.reported', connection, machine, units }, 'load'),
  ],
  'fleet.machinesGone': ({ machines }) => [
    to('selection', { type: 'selection.machinesGone', machines }),
    to('bulk', { type: 'bulk.machinesGone', machines }),
  ],
  'fleet.listOutdated': () => [refreshAccount],
  'fleet.broadcastWanted': ({ state }) => [broadcast({ cmd: 'state', state })],
  'fleet.unlinkedClientFound': ({ id, name }) => [to('account', { type: 'account.linkClient', id, name })],
  'fleet.foreignClientFound': ({ id, name }) => [
    to('dialogs', { type: 'dialogs.ask', dialog: linkForeignQuestion(id, name) }),
  ],
  'fleet.localDonorChanged': ({ donor }) => [to('donor', { type: 'donor.localChanged', donor })],

  'history.requested': ({ ids }) => [
    to('fleet', { type: 'fleet.reportHistory', ...(ids === undefined ? {} : { ids }) }),
  ],
  'history.clonesFound': ({ clones }) => [to('fleet', { type: 'fleet.clonesKnown', clones })],

  'tags.changed': ({ change }) => [to('serverShared', { type: 'shared.change', change })],
  'tags.named': ({ tags }) => [to('fleet', { type: 'fleet.chosen', choices: { tags } })],
  'views.changed': ({ change }) => [to('serverShared', { type: 'shared.change', change })],
  'power.changed': ({ change }) => [to('serverShared', { type: 'shared.change', change })],
  'processors.changed': ({ change }) => [to('serverShared', { type: 'shared.change', change })],
  // Their code came after what the server sent.
  'processors.started': () => [to('serverShared', { type: 'shared.refresh' })],
  'power.started': () => [to('serverShared', { type: 'shared.refresh' })],
  'shared.received': ({ shared, isCopied }) => [
    to('tags', { type: 'tags.served', tags: shared.tags, isCopied }),
    to('views', { type: 'views.served', views: shared.views, isCopied }),
    to('power', { type: 'power.served', power: shared.power, isCopied }),
    to('processors', { type: 'processors.served', notes: shared.processors, isCopied }),
  ],
  'shared.notKept': ({ reason }) => show(changeNotKeptMessage(reason)),

  'memory.restored': ({ machines }) => [to('fleet', { type: 'fleet.restored', machines })],
  'wire.restart': event => [to('wire', event)],

  'tabs.signedOut': () => [to('account', { type: 'account.signedOutElsewhere' })],
  'tabs.signedIn': ({ id }) => [to('account', { type: 'account.signedInElsewhere', id }, 'load')],
  'tabs.preferencesChanged': ({ preferences }) => [
    to('preferences', { type: 'preferences.changedElsewhere', preferences }),
    to('fleet', fleetPreferences(preferences)),
  ],
  'fleet.addressesChanged': event => [to('fleet', event)],

  'page.woke': () => [to('clock', { type: 'clock.check' }), ...checkConnections],
  'network.regained': () => checkConnections,
  'page.shown': () => [
    to('account', { type: 'account.retry' }),
    to('relay', { type: 'relay.pageShown' }),
    to('fleet', { type: 'fleet.pageSeen', isHidden: false }),
    to('fleet', { type: 'fleet.retry' }),
    to('series', { type: 'series.check' }),
    to('history', { type: 'history.pageShown' }, 'keep'),
  ],
  'page.hidden': () => [
    to('history', { type: 'history.pageHidden' }, 'keep'),
    to('relay', { type: 'relay.pageHidden' }),
    to('fleet', { type: 'fleet.pageSeen', isHidden: true }),
  ],
} satisfies Routes

export type RoutedType = keyof typeof routes

export function deliveriesOf(event: AppEvent, input: AppInput): Deliveries {
  const table: Readonly<Record<string, ((event: never, input: AppInput) => Deliveries) | undefined>> = routes
  const route = table[event.type] as ((event: AppEvent, input: AppInput) => Deliveries) | undefined
  return route?.(event, input) ?? []
}
