import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { AccountEvent, LeavingReason } from '../../account/account/account.events.ts'
import { linkForeignQuestion } from '../../account/account/account.questions.ts'
import type { DonorEvent } from '../../account/donor/donor.events.ts'
import type { Broadcast } from '../../connection/broadcast/broadcast.events.ts'
import type { FleetCommand, FleetEvent } from '../../connection/fleet/fleet.events.ts'
import type { RelayCommand } from '../../connection/relay/relay.events.ts'
import type { LibraryCommand } from '../../resource/query-cache/query-cache.events.ts'
import type { SeriesCommand } from '../../resource/series/series.events.ts'
import type { ResourceNews } from '../../resource/resource/resource.events.ts'
import type { DialogsEvent, Message } from '../../shared/dialogs/dialogs.events.ts'
import type { HistoryEvent } from '../../units/history/history.events.ts'
import type { ViewerCommand } from '../../screens/viewer/viewer.events.ts'
import type { ClockEvent } from '../clock/clock.events.ts'
import type { PreferencesEvent } from '../preferences/preferences.events.ts'
import type { MemoryCommand } from '../memory.events.ts'
import type { TabFact, TabsCommand } from '../tabs.events.ts'
import { actorInput, appActors, invocations, type ActorName, type AppInput } from './app.actors.ts'
import { looksOf } from './account-looks.ts'
import type { AppEvent, WireCommand, WireFault } from './app.events.ts'
import { donorOf, listingOf, relayCommandOf } from './app.wiring.ts'
import {
  autoLinkMessage,
  deletedMessage,
  failureMessage,
  registeredMessage,
  resetRequestedMessage,
  sessionEndMessage,
  untoldMessage,
} from './app.messages.ts'

export type AppContext = {
  readonly input: AppInput
  /** False while the browser says that there is no network at all. */
  readonly isOnline: boolean
  /** This browser keeps nothing: no session, no machines, no history. */
  readonly isForgetful: boolean
  /** Why the worker does not run that every connection goes through. */
  readonly wireFault: WireFault | undefined
  /** How often each part of the page threw an error, by its id. */
  readonly failures: Readonly<Record<string, number>>
}

/** A part that fails more often than this stays as it was: what makes it fail does not pass. */
const MOST_RESTARTS = 3

/** Parts that know of the account only because they were told. */
const FOLLOWS_ACCOUNT: ReadonlySet<string> = new Set(['fleet', 'relay', 'history', 'donor', 'preferences'])

/** `spawnChild` for a name that is known only when it happens: it is the id of a child, and those are named after their sources. */
type SpawnNamed = (name: string, options: { id: string; systemId: string; input: unknown }) => void

const leavingMessages: Partial<Record<LeavingReason, Message>> = {
  sessionEnded: sessionEndMessage,
  deleted: deletedMessage,
}

export const appMachine = setup({
  types: { context: {} as AppContext, events: {} as AppEvent, input: {} as AppInput },
  actors: appActors,
  actions: {
    /** What fails takes nothing else with it, and begins again from what it last knew. */
    restart: enqueueActions(({ context, enqueue, self }, id: string) => {
      const failures = (context.failures[id] ?? 0) + 1
      enqueue.assign({ failures: { ...context.failures, [id]: failures } })
      if (failures > MOST_RESTARTS) return
      const spawnNamed = enqueue.spawnChild as SpawnNamed
      spawnNamed(id, {
        id,
        systemId: id,
        input: actorInput(id, context.input, (self.getSnapshot() as AppSnapshot).children[id as ActorName]),
      })
      if (id === 'library') enqueue.sendTo('library', { type: 'library.want', key: 'version' } satisfies LibraryCommand)
      if (FOLLOWS_ACCOUNT.has(id)) enqueue.sendTo('account', { type: 'account.refresh' } satisfies AccountEvent)
    }),
    noteOnline: assign((_, isOnline: boolean) => ({ isOnline })),
    noteForgetful: assign({ isForgetful: true }),
    noteWire: assign((_, wireFault: WireFault | undefined) => ({ wireFault })),
    restartWire: sendTo('wire', { type: 'wire.restart' } satisfies WireCommand),
    wantVersion: sendTo('library', { type: 'library.want', key: 'version' } satisfies LibraryCommand),
    doubtClock: sendTo('clock', { type: 'clock.doubted' } satisfies ClockEvent),
    toDonor: sendTo('donor', (_, event: DonorEvent) => event),
    toSeries: sendTo('series', (_, command: SeriesCommand) => command),
    toLibrary: sendTo('library', (_, command: LibraryCommand) => command),
    toAccount: sendTo('account', (_, event: AccountEvent) => event),
    toFleet: sendTo('fleet', (_, event: FleetEvent) => event),
    toHistory: sendTo('history', (_, event: HistoryEvent) => event),
    toRelay: sendTo('relay', (_, command: RelayCommand) => command),
    toViewer: sendTo('viewer', (_, command: ViewerCommand) => command),
    toPreferences: sendTo('preferences', (_, event: PreferencesEvent) => event),
    toDialogs: sendTo('dialogs', (_, event: DialogsEvent) => event),
    tell: sendTo('dialogs', (_, message: Message): DialogsEvent => ({ type: 'dialogs.tell', message })),
    forgetMachines: sendTo('memory', { type: 'memory.forgetAccount' } satisfies MemoryCommand),
    tellTabs: sendTo('tabs', (_, fact: TabFact): TabsCommand => ({ type: 'tabs.tell', fact })),
    tellTabsOfLeaving: enqueueActions(({ enqueue }, reason: LeavingReason) => {
      if (reason !== 'elsewhere')
        enqueue.sendTo('tabs', { type: 'tabs.tell', fact: { type: 'tabs.signedOut' } } satisfies TabsCommand)
    }),
    broadcast: sendTo('broadcaster', (_, broadcast: Broadcast) => ({ type: 'broadcast.send' as const, broadcast })),
    sayUntold: enqueueActions(
      ({ enqueue }, { broadcast, isClockWrong }: { broadcast: Broadcast; isClockWrong: boolean }) => {
        const message = untoldMessage(broadcast, isClockWrong)
        if (message !== undefined) enqueue.sendTo('dialogs', { type: 'dialogs.tell', message } satisfies DialogsEvent)
        if (broadcast.cmd === 'state')
          enqueue.sendTo('fleet', { type: 'fleet.broadcastRefused', word: broadcast.state } satisfies FleetEvent)
      },
    ),
    noteSent: enqueueActions(({ enqueue }, { broadcast, at }: { broadcast: Broadcast; at: number }) => {
      if (broadcast.cmd === 'state')
        enqueue.sendTo('fleet', { type: 'fleet.broadcastSent', word: broadcast.state, at } satisfies FleetEvent)
    }),
    /** Nobody needs to be told of what they asked for. */
    sayLinked: enqueueActions(({ enqueue }, { isAsked }: { isAsked: boolean }) => {
      if (!isAsked) enqueue.sendTo('dialogs', { type: 'dialogs.tell', message: autoLinkMessage } satisfies DialogsEvent)
    }),
    sayWhyLeft: enqueueActions(({ enqueue }, reason: LeavingReason) => {
      const message = leavingMessages[reason]
      if (message !== undefined) enqueue.sendTo('dialogs', { type: 'dialogs.tell', message } satisfies DialogsEvent)
    }),
  },
  guards: {
    isVersion: (_, key: string) => key === 'version',
    isAboutTheAccount: (_, cmd: string) => cmd === 'config' || cmd === 'restart',
  },
}).createMachine({
  id: 'app',
  description: 'The house: which room hears of what happened in another.',
  context: ({ input }) => ({ input, isOnline: true, isForgetful: false, wireFault: undefined, failures: {} }),
  invoke: invocations,
  entry: 'wantVersion',
  on: {
    'xstate.error.actor.*': { actions: { type: 'restart', params: ({ event }) => event.actorId } },
    'resource.learned': {
      guard: { type: 'isVersion', params: ({ event }) => event.key },
      actions: { type: 'toFleet', params: ({ event }) => ({ type: 'fleet.versionLearned', version: textOf(event) }) },
    },
    'preferences.kept': {
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

    // Found to be there by a check: nobody is to wait for the next attempt.
    'check.reached': { actions: { type: 'toFleet', params: { type: 'fleet.retry' } } },

    'signIn.registered': { actions: { type: 'tell', params: ({ event }) => registeredMessage(event.email) } },
    'signIn.resetRequested': { actions: { type: 'tell', params: ({ event }) => resetRequestedMessage(event.email) } },
    // The server ended all sessions of that account. If it is this one's, it leaves.
    'reset.finished': { actions: { type: 'toAccount', params: { type: 'account.refresh' } } },
    'account.entered': { actions: { type: 'toAccount', params: ({ event }) => event } },

    'account.changed': {
      actions: [
        { type: 'toFleet', params: ({ event }) => listingOf(event.signedIn) },
        {
          type: 'toHistory',
          params: ({ event }) => ({ type: 'history.accountEntered', account: event.signedIn.keys.id }),
        },
        { type: 'toRelay', params: ({ event, context }) => relayCommandOf(event.signedIn, context.input.nodeScheme) },
        {
          type: 'toPreferences',
          params: ({ event }) => ({ type: 'preferences.follow', looks: looksOf(event.signedIn.account.config) }),
        },
        { type: 'toDonor', params: ({ event }) => donorOf(event.signedIn) },
      ],
    },
    'account.loggedIn': {
      actions: [
        { type: 'tellTabs', params: ({ event }) => ({ type: 'tabs.signedIn', id: event.id }) },
        { type: 'toFleet', params: { type: 'fleet.linkOnSight' } },
      ],
    },
    'account.looksSaved': {
      actions: {
        type: 'toPreferences',
        params: ({ event }) => ({ type: 'preferences.follow', looks: looksOf(event.config) }),
      },
    },
    'account.previewed': {
      actions: {
        type: 'toPreferences',
        params: ({ event: { config } }) => ({
          type: 'preferences.preview',
          looks: config === undefined ? undefined : looksOf(config),
        }),
      },
    },
    'account.told': {
      actions: {
        type: 'broadcast',
        params: ({ event: { cmd, secrets } }): Broadcast =>
          cmd === 'restart' ? { cmd } : { cmd, secrets: { config: secrets.config ?? {} } },
      },
    },
    'account.linking': {
      actions: [
        { type: 'toFleet', params: ({ event: { id, name, secrets } }) => ({ type: 'fleet.link', id, name, secrets }) },
        { type: 'sayLinked', params: ({ event }) => event },
      ],
    },
    'account.failed': { actions: { type: 'tell', params: ({ event }) => failureMessage(event.failure, event.fault) } },
    'account.nobody': { actions: [{ type: 'toFleet', params: { type: 'fleet.accountLeft' } }, 'forgetMachines'] },
    'account.left': {
      actions: [
        { type: 'toRelay', params: { type: 'relay.deactivate' } },
        { type: 'toFleet', params: { type: 'fleet.accountLeft' } },
        'forgetMachines',
        { type: 'toHistory', params: { type: 'history.accountLeft' } },
        { type: 'toViewer', params: { type: 'viewer.forget' } },
        { type: 'toPreferences', params: { type: 'preferences.preview', looks: undefined } },
        { type: 'toPreferences', params: { type: 'preferences.unfollow' } },
        { type: 'toDonor', params: { type: 'donor.signedOut' } },
        { type: 'toLibrary', params: { type: 'library.forgetPerson' } },
        { type: 'toSeries', params: { type: 'series.forgetPerson' } },
        { type: 'toDialogs', params: { type: 'dialogs.withdraw', id: 'account' } },
        { type: 'sayWhyLeft', params: ({ event }) => event.reason },
        { type: 'tellTabsOfLeaving', params: ({ event }) => event.reason },
      ],
    },

    'relay.clientConnected': { actions: { type: 'toFleet', params: ({ event }) => event } },
    'relay.clientDisconnected': { actions: { type: 'toFleet', params: ({ event }) => event } },
    'relay.refused': { actions: 'doubtClock' },
    'relay.lost': { actions: { type: 'toFleet', params: ({ event }) => event } },
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
      actions: { type: 'sayUntold', params: ({ event }) => ({ broadcast: event.broadcast, isClockWrong: true }) },
    },
    'relay.broadcastSent': { actions: { type: 'noteSent', params: ({ event }) => event } },
    'relay.broadcastRefused': {
      actions: { type: 'sayUntold', params: ({ event }) => ({ broadcast: event.broadcast, isClockWrong: false }) },
    },

    'history.wanted': { actions: { type: 'toFleet', params: { type: 'fleet.collect' } } },
    'fleet.unitsEnded': {
      actions: {
        type: 'toHistory',
        params: ({ event: { machine, units } }) => ({ type: 'history.reported', machine, units }),
      },
    },
    'fleet.listIsOld': { actions: { type: 'toAccount', params: { type: 'account.refresh' } } },
    'fleet.broadcastWanted': {
      actions: { type: 'broadcast', params: ({ event }) => ({ cmd: 'state', state: event.word }) },
    },
    'fleet.clientIsUnlinked': {
      actions: { type: 'toAccount', params: ({ event: { id, name } }) => ({ type: 'account.linkClient', id, name }) },
    },
    'fleet.clientIsForeign': {
      actions: {
        type: 'toDialogs',
        params: ({ event }) => ({ type: 'dialogs.ask', dialog: linkForeignQuestion(event.id, event.name) }),
      },
    },
    'fleet.localDonorLearned': {
      actions: { type: 'toDonor', params: ({ event }) => ({ type: 'donor.localLearned', donor: event.donor }) },
    },

    'memory.recalled': {
      actions: { type: 'toFleet', params: ({ event }) => ({ type: 'fleet.recalled', machines: event.machines }) },
    },

    'memory.unavailable': { actions: 'noteForgetful' },

    'wire.started': { actions: { type: 'noteWire', params: undefined } },
    'wire.failed': { actions: { type: 'noteWire', params: ({ event }) => event.fault } },
    'wire.restart': { actions: 'restartWire' },

    'tabs.signedOut': { actions: { type: 'toAccount', params: { type: 'account.leftElsewhere' } } },
    'tabs.signedIn': {
      actions: { type: 'toAccount', params: ({ event }) => ({ type: 'account.enteredElsewhere', id: event.id }) },
    },
    'tabs.preferencesChanged': {
      actions: {
        type: 'toPreferences',
        params: ({ event }) => ({ type: 'preferences.changedElsewhere', preferences: event.preferences }),
      },
    },

    'page.woke': {
      actions: [
        'doubtClock',
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.check' } },
        { type: 'toFleet', params: { type: 'fleet.check' } },
        { type: 'toLibrary', params: { type: 'library.check' } },
        { type: 'toSeries', params: { type: 'series.check' } },
      ],
    },
    'network.regained': {
      actions: [
        { type: 'noteOnline', params: true },
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.check' } },
        { type: 'toFleet', params: { type: 'fleet.check' } },
        { type: 'toLibrary', params: { type: 'library.check' } },
        { type: 'toSeries', params: { type: 'series.check' } },
      ],
    },
    'page.shown': {
      actions: [
        { type: 'toAccount', params: { type: 'account.retry' } },
        { type: 'toRelay', params: { type: 'relay.retry' } },
        { type: 'toFleet', params: { type: 'fleet.retry' } },
        { type: 'toSeries', params: { type: 'series.check' } },
      ],
    },
    'network.lost': { actions: { type: 'noteOnline', params: false } },
  },
})

export type AppRef = ActorRefFrom<typeof appMachine>
export type AppSnapshot = SnapshotFrom<typeof appMachine>

const textOf = ({ known }: ResourceNews): string | undefined =>
  known.isThere && typeof known.value === 'string' ? known.value : undefined
