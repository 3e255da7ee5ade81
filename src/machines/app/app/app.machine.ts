import { assign, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { accountMachine } from '../../account/account/account.machine.ts'
import { signInMachine } from '../../account/sign-in/sign-in.machine.ts'
import { fleetMachine, type FleetInput } from '../../connection/fleet/fleet.machine.ts'
import type { FleetCommand, FleetNews } from '../../connection/fleet/fleet.events.ts'
import { relayMachine } from '../../connection/relay/relay.machine.ts'
import type { RelayCommand, RelayNews } from '../../connection/relay/relay.events.ts'
import { emptySlot } from '../../empty-slot.ts'
import type { ResourceNews } from '../../resource/resource/resource.events.ts'
import { resourceMachine } from '../../resource/resource/resource.machine.ts'
import { connectMachine } from '../../screens/connect/connect.machine.ts'
import { dialogsMachine } from '../../screens/dialogs/dialogs.machine.ts'
import type { DialogsEvent } from '../../screens/dialogs/dialogs.events.ts'
import type { SignedIn } from '../../account/account/account.events.ts'
import { clockMachine } from '../clock/clock.machine.ts'
import { preferencesMachine } from '../preferences/preferences.machine.ts'
import type { Preferences, PreferencesEvent } from '../preferences/preferences.events.ts'
import { failureMessage } from './app.words.ts'
import { preferencesOf } from './account-preferences.ts'
import type { AppEvent } from './app.events.ts'

export type AppInput = {
  readonly at: number
  readonly preferences: Preferences
  readonly fleet: FleetInput
  readonly nodeScheme: 'ws' | 'wss'
  /** Browsers give no cryptography to pages that came over plain HTTP from another host. */
  readonly isSecure: boolean
}

export type AppContext = {
  readonly input: AppInput
  /** False while the browser says that there is no network at all. */
  readonly isOnline: boolean
}

const DAY = 24 * 60 * 60 * 1000
const HOUR = 60 * 60 * 1000

export const appMachine = setup({
  types: {
    context: {} as AppContext,
    events: {} as AppEvent,
    input: {} as AppInput,
  },
  actors: {
    clock: clockMachine,
    preferences: preferencesMachine,
    dialogs: dialogsMachine,
    connect: connectMachine,
    signIn: signInMachine,
    account: accountMachine,
    relay: relayMachine,
    fleet: fleetMachine,
    version: resourceMachine,
    page: emptySlot<{ type: 'none' }, undefined>('page'),
  },
  actions: {
    noteOnline: assign((_, isOnline: boolean) => ({ isOnline })),
    activateRelay: sendTo('relay', ({ context }, { account, keys }: SignedIn): RelayCommand =>
      account.node === undefined
        ? { type: 'relay.deactivate' }
        : { type: 'relay.activate', target: { url: `${context.input.nodeScheme}://${account.node}/ws/account`, keys } },
    ),
    deactivateRelay: sendTo('relay', { type: 'relay.deactivate' } satisfies RelayCommand),
    checkRelay: sendTo('relay', { type: 'relay.check' } satisfies RelayCommand),
    checkFleet: sendTo('fleet', { type: 'fleet.check' } satisfies FleetCommand),
    listMachines: sendTo('fleet', (_, { account, keys }: SignedIn): FleetNews => ({
      type: 'fleet.machinesListed',
      account: keys.id,
      machines: (account.machines ?? []).map(({ id, name = '' }) => ({ id, name })),
    })),
    emptyFleet: sendTo('fleet', { type: 'fleet.accountLeft' } satisfies FleetNews),
    takeAccountPreferences: sendTo('preferences', (_, { account }: SignedIn): PreferencesEvent => ({
      type: 'preferences.change',
      change: preferencesOf(account),
    })),
    wantVersion: sendTo('version', { type: 'resource.want' }),
    tellVersion: sendTo('fleet', (_, { value }: ResourceNews): FleetNews => ({
      type: 'fleet.versionLearned',
      version: typeof value === 'string' ? value : undefined,
    })),
    tellFleet: sendTo('fleet', (_, news: RelayNews): RelayNews => news),
    connectDirectly: sendTo('fleet', (_, address: string): FleetCommand => ({ type: 'fleet.connect', address })),
    refreshAccount: sendTo('account', { type: 'account.refresh' }),
    enterAccount: sendTo('account', (_, signedIn: SignedIn) => ({ type: 'account.entered' as const, signedIn })),
    tellSessionEnd: sendTo('dialogs', {
      type: 'dialogs.tell',
      message: { level: 'info', title: 'Logged out', text: 'Your session has ended. Log in again to see your machines.' },
    } satisfies DialogsEvent),
    tellFailure: sendTo('dialogs', (_, failure: Parameters<typeof failureMessage>[0]): DialogsEvent => ({
      type: 'dialogs.tell',
      message: failureMessage(failure),
    })),
  },
  guards: {
    isAboutTheAccount: (_, cmd: string) => cmd === 'config' || cmd === 'restart',
    wasEndedByTheServer: (_, reason: string) => reason === 'sessionEnded',
  },
}).createMachine({
  id: 'app',
  description: 'The house: which room hears of what happened in another.',
  context: ({ input }) => ({ input, isOnline: true }),
  invoke: [
    { src: 'clock', id: 'clock', systemId: 'clock', input: ({ context }) => ({ at: context.input.at }) },
    { src: 'preferences', id: 'preferences', systemId: 'preferences', input: ({ context }) => context.input.preferences },
    { src: 'dialogs', id: 'dialogs', systemId: 'dialogs' },
    { src: 'connect', id: 'connect', systemId: 'connect' },
    { src: 'fleet', id: 'fleet', systemId: 'fleet', input: ({ context }) => context.input.fleet },
    { src: 'relay', id: 'relay', systemId: 'relay' },
    { src: 'signIn', id: 'signIn', systemId: 'signIn' },
    { src: 'account', id: 'account', systemId: 'account' },
    { src: 'version', id: 'version', systemId: 'version', input: { key: 'version', maxAge: DAY, retryDelay: HOUR } },
    { src: 'page', id: 'page' },
  ],
  entry: 'wantVersion',
  on: {
    'resource.fetched': {
      actions: { type: 'tellVersion', params: ({ event }) => event },
    },
    'account.entered': { actions: { type: 'enterAccount', params: ({ event }) => event.signedIn } },
    'account.changed': {
      actions: [
        { type: 'listMachines', params: ({ event }) => event.signedIn },
        { type: 'activateRelay', params: ({ event }) => event.signedIn },
        { type: 'takeAccountPreferences', params: ({ event }) => event.signedIn },
      ],
    },
    'account.left': [
      {
        guard: { type: 'wasEndedByTheServer', params: ({ event }) => event.reason },
        actions: ['deactivateRelay', 'emptyFleet', 'tellSessionEnd'],
      },
      { actions: ['deactivateRelay', 'emptyFleet'] },
    ],
    'account.failed': { actions: { type: 'tellFailure', params: ({ event }) => event } },
    'relay.clientConnected': { actions: { type: 'tellFleet', params: ({ event }) => event } },
    'relay.clientDisconnected': { actions: { type: 'tellFleet', params: ({ event }) => event } },
    'relay.lost': { actions: { type: 'tellFleet', params: ({ event }) => event } },
    'relay.broadcastReceived': {
      guard: { type: 'isAboutTheAccount', params: ({ event }) => event.cmd },
      actions: 'refreshAccount',
    },
    'fleet.listIsOld': { actions: 'refreshAccount' },
    'connect.agreed': { actions: { type: 'connectDirectly', params: ({ event }) => event.address } },
    'page.woke': { actions: ['checkRelay', 'checkFleet'] },
    'network.regained': { actions: [{ type: 'noteOnline', params: true }, 'checkRelay', 'checkFleet'] },
    'network.lost': { actions: { type: 'noteOnline', params: false } },
  },
})

export type AppRef = ActorRefFrom<typeof appMachine>
export type AppSnapshot = SnapshotFrom<typeof appMachine>
