import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type AnyActorRef, type SnapshotFrom } from 'xstate'
import type { AccountEvent, SignOutReason } from '../../account/account/account.events.ts'
import { linkForeignQuestion } from '../../account/account/account.questions.ts'
import type { DonorEvent } from '../../account/donor/donor.events.ts'
import type { BroadcastContent } from '../../connection/broadcast/broadcast.events.ts'
import type { FleetCommand, FleetEvent } from '../../connection/fleet/fleet.events.ts'
import type { BulkEvent } from '../../fleet/bulk/bulk.events.ts'
import type { SelectionEvent } from '../../fleet/selection/selection.events.ts'
import type { PowerEvent } from '../../fleet/power/power.events.ts'
import type { TagsEvent } from '../../fleet/tags/tags.events.ts'
import type { ViewsEvent } from '../../fleet/views/views.events.ts'
import type { SharedEvent } from '../../server/shared/shared.events.ts'
import type { RelayCommand } from '../../connection/relay/relay.events.ts'
import type { QueryCacheCommand } from '../../resource/query-cache/query-cache.events.ts'
import type { SeriesCommand } from '../../resource/series/series.events.ts'
import type { ResourceNotification } from '../../resource/resource/resource.events.ts'
import type { DialogsEvent, Message } from '../../shared/dialogs/dialogs.events.ts'
import type { IncidentsEvent } from '../../incidents/incidents/incidents.events.ts'
import type { HistoryEvent } from '../../units/history/history.events.ts'
import type { RecordsCommand } from '../../units/records/records.events.ts'
import type { MoleculesCommand } from '../../screens/molecules/molecules.events.ts'
import type { ViewerCommand } from '../../screens/viewer/viewer.events.ts'
import type { ClockEvent } from '../clock/clock.events.ts'
import type { PreferencesEvent } from '../preferences/preferences.events.ts'
import type { MemoryCommand } from '../memory.events.ts'
import type { TabFact, TabsCommand } from '../tabs.events.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import {
  actorInput,
  appActors,
  invocations,
  lateActors,
  type ActorName,
  type AppInput,
  type LateActors,
  type LateCommand,
  type PartName,
} from './app.actors.ts'
import type { AppEvent, CodeCommand, WireCommand, WireFault } from './app.events.ts'
import { donorOf, clientListOf, appearanceOf, relayCommandOf } from './app.wiring.ts'
import {
  autoLinkMessage,
  changeNotKeptMessage,
  clientRefusedMessage,
  deletedMessage,
  failureMessage,
  registeredMessage,
  resetRequestedMessage,
  sessionEndMessage,
  broadcastFailedMessage,
} from './app.messages.ts'

export type AppContext = {
  readonly input: AppInput
  /** False while the browser reports that there is no network at all. */
  readonly isOnline: boolean
  /** This browser keeps nothing: no session, no clients, no history. */
  readonly isStorageUnavailable: boolean
  /** Why the worker does not run that every connection goes through. */
  readonly wireFault: WireFault | undefined
  /** How often each part of the page threw an error, by its id. */
  readonly failures: Readonly<Record<string, number>>
  /** Why the code of a part could not be loaded. */
  readonly partFaults: Readonly<Partial<Record<PartName, LoadFault | undefined>>>
  /** Whose code is there. */
  readonly arrived: readonly PartName[]
  /** What the actors of a part are sent as soon as they run. */
  readonly waiting: Readonly<Partial<Record<PartName, readonly LateCommand[] | undefined>>>
}

/** An actor that fails more often than this is not restarted again. */
const MOST_RESTARTS = 3

/** Actors that receive the account in an event. */
const FOLLOWS_ACCOUNT: ReadonlySet<string> = new Set(['fleet', 'relay', 'history', 'incidents', 'donor', 'preferences'])

/** `spawnChild` for a name known only at run time: the id of a child, which equals the name of its source. */
type SpawnNamed = (name: string, options: { id: string; systemId: string; input: unknown }) => void

function runs(system: Registry, name: keyof LateActors): boolean {
  return system.get(name) !== undefined
}

type Registry = { readonly get: (name: string) => AnyActorRef | undefined }

type Sending = {
  readonly enqueue: { readonly sendTo: (to: string, event: LateCommand['event']) => void }
  readonly system: Registry
}

/** Sends to a late actor if it runs. */
function tell({ enqueue, system }: Sending, name: keyof LateActors, event: LateCommand['event']): void {
  if (runs(system, name)) enqueue.sendTo(name, event)
}

/** `isState`: what was said of this before no longer holds. */
function withWaiting({ waiting }: AppContext, part: PartName, command: LateCommand, isState = false) {
  const before = waiting[part] ?? []
  const others = isState ? before.filter(({ event }) => event.type !== command.event.type) : before
  return { waiting: { ...waiting, [part]: [...others, command] } }
}

type Wanted = { readonly part: PartName; readonly first?: LateCommand }

function namesOf(part: PartName): readonly string[] {
  return Object.keys(lateActors[part])
}

const leavingMessages: Partial<Record<SignOutReason, Message>> = {
  sessionEnded: sessionEndMessage,
  deleted: deletedMessage,
}

export const appMachine = setup({
  types: { context: {} as AppContext, events: {} as AppEvent, input: {} as AppInput },
  actors: appActors,
  actions: {
    /** Starts an actor that failed again, from what it last knew. The others go on. */
    restart: enqueueActions(({ context, enqueue, self, system }, id: string) => {
      const failures = (context.failures[id] ?? 0) + 1
      enqueue.assign({ failures: { ...context.failures, [id]: failures } })
      if (failures > MOST_RESTARTS) return
      const spawnNamed = enqueue.spawnChild as SpawnNamed
      spawnNamed(id, {
        id,
        systemId: id,
        input: actorInput(id, context.input, (self.getSnapshot() as AppSnapshot).children[id as ActorName]),
      })
      if (id === 'queryCache')
        enqueue.sendTo('queryCache', { type: 'queryCache.want', key: 'version' } satisfies QueryCacheCommand)
      if (id === 'incidents') enqueue.sendTo('incidents', { type: 'incidents.open' } satisfies IncidentsEvent)
      if (FOLLOWS_ACCOUNT.has(id) && runs(system, 'account'))
        enqueue.sendTo('account', { type: 'account.refresh' } satisfies AccountEvent)
    }),
    loadPart: enqueueActions(({ context, enqueue, system }, { part, first }: Wanted) => {
      if (context.arrived.includes(part) && namesOf(part).every(name => system.get(name) !== undefined)) {
        if (first !== undefined) enqueue.sendTo(first.to, first.event)
        return
      }
      enqueue.assign({ partFaults: { ...context.partFaults, [part]: undefined } })
      if (first !== undefined) enqueue.assign(withWaiting(context, part, first))
      enqueue.sendTo('code', { type: 'code.load', part } satisfies CodeCommand)
    }),
    startPart: enqueueActions(({ context, enqueue, system }, part: PartName) => {
      const spawnNamed = enqueue.spawnChild as SpawnNamed
      for (const name of namesOf(part))
        if (system.get(name) === undefined)
          spawnNamed(name, { id: name, systemId: name, input: actorInput(name, context.input, undefined) })
      if (!context.arrived.includes(part)) enqueue.assign({ arrived: [...context.arrived, part] })
      const commands = context.waiting[part]
      if (commands === undefined) return
      enqueue.assign({ waiting: { ...context.waiting, [part]: undefined } })
      for (const { to, event } of commands) enqueue.sendTo(to, event)
    }),
    giveUp: assign(({ context }, part: PartName) => ({ waiting: { ...context.waiting, [part]: undefined } })),
    notePartFault: assign(({ context }, { part, fault }: { part: PartName; fault: LoadFault }) => ({
      partFaults: { ...context.partFaults, [part]: fault },
    })),
    noteOnline: assign((_, isOnline: boolean) => ({ isOnline })),
    noteStorageUnavailable: assign({ isStorageUnavailable: true }),
    noteWire: assign((_, wireFault: WireFault | undefined) => ({ wireFault })),
    restartWire: sendTo('wire', { type: 'wire.restart' } satisfies WireCommand),
    beginAccount: enqueueActions(({ context, enqueue }) => {
      if (context.input.hasSession === true) enqueue.raise({ type: 'app.want', part: 'account' })
      else enqueue.raise({ type: 'account.noSession' })
    }),
    wantVersion: sendTo('queryCache', { type: 'queryCache.want', key: 'version' } satisfies QueryCacheCommand),
    checkClock: sendTo('clock', { type: 'clock.check' } satisfies ClockEvent),
    toDonor: sendTo('donor', (_, event: DonorEvent) => event),
    toSeries: enqueueActions((args, event: SeriesCommand) => tell(args, 'series', event)),
    toQueryCache: sendTo('queryCache', (_, command: QueryCacheCommand) => command),
    /** Where a session is stored, its code is asked for once more: loading it may have failed. */
    toAccount: enqueueActions(({ context, enqueue, system }, event: AccountEvent) => {
      if (runs(system, 'account')) enqueue.sendTo('account', event)
      else if (context.input.hasSession === true) enqueue.raise({ type: 'app.want', part: 'account' })
    }),
    toFleet: sendTo('fleet', (_, event: FleetEvent) => event),
    toSelection: sendTo('selection', (_, event: SelectionEvent) => event),
    toBulk: enqueueActions((args, event: BulkEvent) => tell(args, 'bulk', event)),
    toHistory: enqueueActions(({ context, enqueue, system }, event: HistoryEvent) => {
      const command = { to: 'history', event } as const
      if (runs(system, 'history')) enqueue.sendTo('history', event)
      else if (event.type === 'history.reported' || event.type === 'history.asked')
        enqueue.raise({ type: 'app.want', part: 'history', first: command })
      else enqueue.assign(withWaiting(context, 'history', command, true))
    }),
    toIncidents: enqueueActions(({ context, enqueue, system }, event: IncidentsEvent) => {
      if (runs(system, 'incidents')) enqueue.sendTo('incidents', event)
      else enqueue.assign(withWaiting(context, 'incidents', { to: 'incidents', event }, true))
    }),
    toRelay: enqueueActions((args, event: RelayCommand) => tell(args, 'relay', event)),
    toPower: enqueueActions((args, event: PowerEvent) => tell(args, 'power', event)),
    toTags: sendTo('tags', (_, event: TagsEvent) => event),
    toViews: sendTo('views', (_, event: ViewsEvent) => event),
    toServerShared: enqueueActions((args, event: SharedEvent) => tell(args, 'serverShared', event)),
    toRecords: enqueueActions((args, event: RecordsCommand) => tell(args, 'records', event)),
    forgetMolecules: enqueueActions(({ enqueue, system }) => {
      if (!runs(system, 'viewer')) return
      enqueue.sendTo('viewer', { type: 'viewer.clearStore' } satisfies ViewerCommand)
      enqueue.sendTo('molecules', { type: 'molecules.clear' } satisfies MoleculesCommand)
    }),
    toPreferences: sendTo('preferences', (_, event: PreferencesEvent) => event),
    toDialogs: sendTo('dialogs', (_, event: DialogsEvent) => event),
    tell: sendTo('dialogs', (_, message: Message): DialogsEvent => ({ type: 'dialogs.showMessage', message })),
    forgetClients: sendTo('memory', { type: 'memory.clearAccount' } satisfies MemoryCommand),
    tellTabs: sendTo('tabs', (_, fact: TabFact): TabsCommand => ({ type: 'tabs.send', fact })),
    tellTabsOfLeaving: enqueueActions(({ enqueue }, reason: SignOutReason) => {
      if (reason !== 'elsewhere')
        enqueue.sendTo('tabs', { type: 'tabs.send', fact: { type: 'tabs.signedOut' } } satisfies TabsCommand)
    }),
    broadcast: enqueueActions(({ enqueue, system }, broadcast: BroadcastContent) => {
      if (runs(system, 'broadcaster')) enqueue.sendTo('broadcaster', { type: 'broadcast.send', broadcast })
    }),
    reportFailedBroadcast: enqueueActions(
      ({ enqueue }, { broadcast, isClockWrong }: { broadcast: BroadcastContent; isClockWrong: boolean }) => {
        const message = broadcastFailedMessage(broadcast, isClockWrong)
        if (message !== undefined)
          enqueue.sendTo('dialogs', { type: 'dialogs.showMessage', message } satisfies DialogsEvent)
        if (broadcast.cmd === 'state')
          enqueue.sendTo('fleet', { type: 'fleet.broadcastRefused', state: broadcast.state } satisfies FleetEvent)
      },
    ),
    notifyBroadcastSent: enqueueActions(
      ({ enqueue }, { broadcast, at }: { broadcast: BroadcastContent; at: number }) => {
        if (broadcast.cmd === 'state')
          enqueue.sendTo('fleet', { type: 'fleet.broadcastSent', state: broadcast.state, at } satisfies FleetEvent)
      },
    ),
    /** Only for links that the user did not ask for. */
    showLinked: enqueueActions(({ enqueue }, { isAsked }: { isAsked: boolean }) => {
      if (!isAsked)
        enqueue.sendTo('dialogs', { type: 'dialogs.showMessage', message: autoLinkMessage } satisfies DialogsEvent)
    }),
    showSignOutReason: enqueueActions(({ enqueue }, reason: SignOutReason) => {
      const message = leavingMessages[reason]
      if (message !== undefined)
        enqueue.sendTo('dialogs', { type: 'dialogs.showMessage', message } satisfies DialogsEvent)
    }),
  },
  guards: {
    isVersion: (_, key: string) => key === 'version',
    isAboutTheAccount: (_, cmd: string) => cmd === 'config' || cmd === 'restart',
  },
}).createMachine({
  id: 'app',
  description: 'Connects the actors of the app: forwards the events of each to those that need them.',
  context: ({ input }) => ({
    input,
    isOnline: true,
    isStorageUnavailable: false,
    wireFault: undefined,
    failures: {},
    partFaults: {},
    arrived: [],
    waiting: {},
  }),
  invoke: invocations,
  entry: ['wantVersion', 'beginAccount'],
  on: {
    'xstate.error.actor.*': { actions: { type: 'restart', params: ({ event }) => event.actorId } },
    'app.want': { actions: { type: 'loadPart', params: ({ event }) => event } },
    'app.giveUp': { actions: { type: 'giveUp', params: ({ event }) => event.part } },
    'code.arrived': { actions: { type: 'startPart', params: ({ event }) => event.part } },
    'code.failed': { actions: { type: 'notePartFault', params: ({ event }) => event } },
    'resource.changed': {
      guard: { type: 'isVersion', params: ({ event }) => event.key },
      actions: {
        type: 'toFleet',
        params: ({ event }) => ({ type: 'fleet.latestVersionChanged', version: textOf(event) }),
      },
    },
    'preferences.saved': {
      actions: {
        type: 'tellTabs',
        params: ({ event }) => ({ type: 'tabs.preferencesChanged', preferences: event.preferences }),
      },
    },
    'connect.agreed': {
      actions: {
        type: 'toFleet',
        params: ({ event }): FleetCommand => ({ type: 'fleet.connect', address: event.address }),
      },
    },

    'directClients.added': {
      actions: {
        type: 'toFleet',
        params: ({ event }): FleetCommand => ({ type: 'fleet.connect', address: event.address, name: event.name }),
      },
    },
    'fleet.clientRefused': { actions: { type: 'tell', params: ({ event }) => clientRefusedMessage(event.address) } },
    // A check found it: no reason to wait for the next attempt.
    'check.reached': { actions: { type: 'toFleet', params: { type: 'fleet.retry' } } },

    'signIn.registered': { actions: { type: 'tell', params: ({ event }) => registeredMessage(event.email) } },
    'signIn.resetRequested': { actions: { type: 'tell', params: ({ event }) => resetRequestedMessage(event.email) } },
    // The server ended all sessions of that account. If it is this one's, it leaves.
    'reset.finished': { actions: { type: 'toAccount', params: { type: 'account.refresh' } } },
    'account.sessionStarted': { actions: { type: 'toAccount', params: ({ event }) => event } },

    'account.changed': {
      actions: [
        { type: 'toFleet', params: ({ event }) => clientListOf(event.signedIn) },
        {
          type: 'toHistory',
          params: ({ event }) => ({ type: 'history.accountSignedIn', account: event.signedIn.keys.id }),
        },
        {
          type: 'toIncidents',
          params: ({ event }) => ({ type: 'incidents.accountSignedIn', account: event.signedIn.keys.id }),
        },
        { type: 'toRelay', params: ({ event, context }) => relayCommandOf(event.signedIn, context.input.nodeScheme) },
        {
          type: 'toPreferences',
          params: ({ event }) => ({
            type: 'preferences.applyAccount',
            appearance: appearanceOf(event.signedIn.account.config),
          }),
        },
        { type: 'toDonor', params: ({ event }) => donorOf(event.signedIn) },
      ],
    },
    'account.loggedIn': {
      actions: [
        { type: 'tellTabs', params: ({ event }) => ({ type: 'tabs.signedIn', id: event.id }) },
        { type: 'toFleet', params: { type: 'fleet.linkWhenConnected' } },
      ],
    },
    'account.appearanceSaved': {
      actions: {
        type: 'toPreferences',
        params: ({ event }) => ({ type: 'preferences.applyAccount', appearance: appearanceOf(event.config) }),
      },
    },
    'account.appearancePreviewed': {
      actions: {
        type: 'toPreferences',
        params: ({ event: { config } }) => ({
          type: 'preferences.preview',
          appearance: config === undefined ? undefined : appearanceOf(config),
        }),
      },
    },
    'account.broadcastRequested': {
      actions: {
        type: 'broadcast',
        params: ({ event: { cmd, secrets } }): BroadcastContent =>
          cmd === 'restart' ? { cmd } : { cmd, secrets: { config: secrets.config ?? {} } },
      },
    },
    'account.linkRequested': {
      actions: [
        { type: 'toFleet', params: ({ event: { id, name, secrets } }) => ({ type: 'fleet.link', id, name, secrets }) },
        { type: 'showLinked', params: ({ event }) => event },
      ],
    },
    'account.failed': { actions: { type: 'tell', params: ({ event }) => failureMessage(event.failure, event.fault) } },
    'account.noSession': {
      actions: [
        { type: 'toIncidents', params: { type: 'incidents.accountSignedOut' } },
        { type: 'toFleet', params: { type: 'fleet.accountSignedOut' } },
        'forgetClients',
      ],
    },
    'account.signedOut': {
      actions: [
        // First: names of the account's clients are not kept.
        { type: 'toSelection', params: { type: 'selection.clear' } },
        { type: 'giveUp', params: 'bulk' },
        { type: 'toBulk', params: { type: 'bulk.reset' } },
        { type: 'toRelay', params: { type: 'relay.deactivate' } },
        { type: 'toIncidents', params: { type: 'incidents.accountSignedOut' } },
        { type: 'toFleet', params: { type: 'fleet.accountSignedOut' } },
        'forgetClients',
        { type: 'toHistory', params: { type: 'history.accountSignedOut' } },
        { type: 'toRecords', params: { type: 'records.accountChanged', account: null } },
        'forgetMolecules',
        { type: 'toPreferences', params: { type: 'preferences.preview', appearance: undefined } },
        { type: 'toPreferences', params: { type: 'preferences.resetAccount' } },
        { type: 'toDonor', params: { type: 'donor.signedOut' } },
        { type: 'toQueryCache', params: { type: 'queryCache.clearPersonal' } },
        { type: 'toSeries', params: { type: 'series.clearPersonal' } },
        { type: 'toDialogs', params: { type: 'dialogs.withdraw', id: 'account' } },
        { type: 'showSignOutReason', params: ({ event }) => event.reason },
        { type: 'tellTabsOfLeaving', params: ({ event }) => event.reason },
      ],
    },

    'relay.clientConnected': { actions: { type: 'toFleet', params: ({ event }) => event } },
    'relay.clientDisconnected': { actions: { type: 'toFleet', params: ({ event }) => event } },
    'relay.refused': { actions: 'checkClock' },
    'relay.lost': { actions: { type: 'toFleet', params: ({ event }) => event } },
    'relay.missed': { actions: { type: 'toAccount', params: { type: 'account.refresh' } } },
    'relay.broadcastReceived': {
      guard: { type: 'isAboutTheAccount', params: ({ event }) => event.cmd },
      actions: { type: 'toAccount', params: ({ event }) => ({ type: 'account.changedElsewhere', time: event.time }) },
    },
    'broadcast.due': {
      actions: {
        type: 'toRelay',
        params: ({ event: { broadcast, at } }) => ({ type: 'relay.broadcast', broadcast, at }),
      },
    },
    'broadcast.refused': {
      actions: {
        type: 'reportFailedBroadcast',
        params: ({ event }) => ({ broadcast: event.broadcast, isClockWrong: true }),
      },
    },
    'relay.broadcastSent': { actions: { type: 'notifyBroadcastSent', params: ({ event }) => event } },
    'relay.broadcastRefused': {
      actions: {
        type: 'reportFailedBroadcast',
        params: ({ event }) => ({ broadcast: event.broadcast, isClockWrong: false }),
      },
    },

    'history.requested': {
      actions: {
        type: 'toFleet',
        params: ({ event: { ids } }) => ({ type: 'fleet.reportHistory', ...(ids === undefined ? {} : { ids }) }),
      },
    },
    'history.clonesFound': {
      actions: { type: 'toFleet', params: ({ event: { clones } }) => ({ type: 'fleet.clonesKnown', clones }) },
    },
    'fleet.historyAsked': {
      actions: {
        type: 'toHistory',
        params: ({ event: { connection } }) => ({ type: 'history.asked', connection }),
      },
    },
    'fleet.unitsEnded': {
      actions: {
        type: 'toHistory',
        params: ({ event: { connection, machine: client, units } }) => ({
          type: 'history.reported',
          connection,
          machine: client,
          units,
        }),
      },
    },
    'fleet.machinesGone': {
      actions: [
        {
          type: 'toSelection',
          params: ({ event }) => ({ type: 'selection.machinesGone', machines: event.machines }),
        },
        { type: 'toBulk', params: ({ event }) => ({ type: 'bulk.machinesGone', machines: event.machines }) },
      ],
    },
    'tags.changed': {
      actions: { type: 'toServerShared', params: ({ event }) => ({ type: 'shared.change', change: event.change }) },
    },
    'power.changed': {
      actions: { type: 'toServerShared', params: ({ event }) => ({ type: 'shared.change', change: event.change }) },
    },
    // Its code came after what the server sent.
    'power.started': { actions: { type: 'toServerShared', params: { type: 'shared.refresh' } } },
    'views.changed': {
      actions: { type: 'toServerShared', params: ({ event }) => ({ type: 'shared.change', change: event.change }) },
    },
    'shared.received': {
      actions: [
        {
          type: 'toTags',
          params: ({ event: { shared, isCopied } }) => ({ type: 'tags.served', tags: shared.tags, isCopied }),
        },
        {
          type: 'toViews',
          params: ({ event: { shared, isCopied } }) => ({ type: 'views.served', views: shared.views, isCopied }),
        },
        {
          type: 'toPower',
          params: ({ event: { shared, isCopied } }) => ({ type: 'power.served', power: shared.power, isCopied }),
        },
      ],
    },
    'shared.notKept': { actions: { type: 'tell', params: ({ event }) => changeNotKeptMessage(event.reason) } },
    'fleet.listOutdated': { actions: { type: 'toAccount', params: { type: 'account.refresh' } } },
    'fleet.broadcastWanted': {
      actions: { type: 'broadcast', params: ({ event }) => ({ cmd: 'state', state: event.state }) },
    },
    'fleet.unlinkedClientFound': {
      actions: { type: 'toAccount', params: ({ event: { id, name } }) => ({ type: 'account.linkClient', id, name }) },
    },
    'fleet.foreignClientFound': {
      actions: {
        type: 'toDialogs',
        params: ({ event }) => ({ type: 'dialogs.ask', dialog: linkForeignQuestion(event.id, event.name) }),
      },
    },
    'fleet.localDonorChanged': {
      actions: { type: 'toDonor', params: ({ event }) => ({ type: 'donor.localChanged', donor: event.donor }) },
    },

    'memory.restored': {
      actions: { type: 'toFleet', params: ({ event }) => ({ type: 'fleet.restored', machines: event.machines }) },
    },

    'memory.unavailable': { actions: 'noteStorageUnavailable' },

    'wire.started': { actions: { type: 'noteWire', params: undefined } },
    'wire.failed': { actions: { type: 'noteWire', params: ({ event }) => event.fault } },
    'wire.restart': { actions: 'restartWire' },

    'tabs.signedOut': { actions: { type: 'toAccount', params: { type: 'account.signedOutElsewhere' } } },
    'tabs.signedIn': {
      actions: {
        type: 'loadPart',
        params: ({ event }) => ({
          part: 'account',
          first: { to: 'account', event: { type: 'account.signedInElsewhere', id: event.id } },
        }),
      },
    },
    'tabs.preferencesChanged': {
      actions: {
        type: 'toPreferences',
        params: ({ event }) => ({ type: 'preferences.changedElsewhere', preferences: event.preferences }),
      },
    },

    'page.woke': {
      actions: [
        'checkClock',
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.check' } },
        { type: 'toFleet', params: { type: 'fleet.check' } },
        { type: 'toQueryCache', params: { type: 'queryCache.check' } },
        { type: 'toSeries', params: { type: 'series.check' } },
      ],
    },
    'network.regained': {
      actions: [
        { type: 'noteOnline', params: true },
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.check' } },
        { type: 'toFleet', params: { type: 'fleet.check' } },
        { type: 'toQueryCache', params: { type: 'queryCache.check' } },
        { type: 'toSeries', params: { type: 'series.check' } },
      ],
    },
    'page.shown': {
      actions: [
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.pageShown' } },
        { type: 'toFleet', params: { type: 'fleet.pageSeen', isHidden: false } },
        { type: 'toFleet', params: { type: 'fleet.retry' } },
        { type: 'toSeries', params: { type: 'series.check' } },
        { type: 'toHistory', params: { type: 'history.pageShown' } },
      ],
    },
    'page.hidden': {
      actions: [
        { type: 'toHistory', params: { type: 'history.pageHidden' } },
        { type: 'toRelay', params: { type: 'relay.pageHidden' } },
        { type: 'toFleet', params: { type: 'fleet.pageSeen', isHidden: true } },
      ],
    },
    'network.lost': { actions: { type: 'noteOnline', params: false } },
  },
})

export type AppRef = ActorRefFrom<typeof appMachine>
export type AppSnapshot = SnapshotFrom<typeof appMachine>

function textOf({ known }: ResourceNotification): string | undefined {
  return known.isThere && typeof known.value === 'string' ? known.value : undefined
}
