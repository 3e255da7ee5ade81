import { assign, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  directClientOf,
  withClients,
  withMoved,
  withName,
  type DirectClient,
} from '../../../folding/client/direct-clients.ts'
import { createInitialContext, idOfAddress, normalizeAddress, unlistedIds, type FleetContext } from './fleet.context.ts'
import { clonesRemembered } from './fleet.memory.ts'
import { fleetSetup } from './fleet.setup.ts'

/** Follow a change of the clients that were added by their addresses. */
const addressesChanged = [
  'startAdded',
  { type: 'releaseTwins', params: undefined },
  'rankDirect',
  { type: 'renameDirect', params: undefined },
] as const

const addressesChangedHere = [
  ...addressesChanged,
  {
    type: 'keepAddresses',
    params: ({ context }: { readonly context: FleetContext }): readonly DirectClient[] => context.addresses,
  },
] as const

export const fleetMachine = fleetSetup.createMachine({
  id: 'fleet',
  description: 'All clients, direct and of the account.',
  context: ({ input, spawn }) =>
    createInitialContext(input, client =>
      spawn('client', { id: client.id, systemId: `client:${client.id}`, input: client }),
    ),
  entry: 'scheduleSpawn',
  on: {
    'xstate.error.actor.*': { actions: { type: 'restartMember', params: ({ event }) => event.actorId } },
    'fleet.connect': [
      {
        guard: { type: 'canAdd', params: ({ event }) => event.address },
        actions: [
          assign(({ context, event }) => ({ addresses: withTyped(context, [event]) })),
          ...addressesChangedHere,
          {
            type: 'sendToMember',
            params: ({ event }) => ({ id: idOfAddress(event.address), news: { type: 'client.reconnect' } }),
          },
        ],
      },
      {
        guard: { type: 'isAddress', params: ({ event }) => event.address },
        actions: { type: 'refuseClient', params: ({ event }) => normalizeAddress(event.address) },
      },
    ],
    'fleet.addClients': {
      actions: [
        assign(({ context, event }) => ({ addresses: withTyped(context, event.clients) })),
        ...addressesChangedHere,
      ],
    },
    'fleet.nameClient': {
      actions: [
        assign(({ context, event }) => ({ addresses: withName(context.addresses, event.address, event.name) })),
        ...addressesChangedHere,
      ],
    },
    'fleet.moveClient': {
      actions: [
        assign(({ context, event }) => ({ addresses: withMoved(context.addresses, event.address, event.by) })),
        ...addressesChangedHere,
      ],
    },
    'fleet.disconnect': {
      guard: { type: 'isAdded', params: ({ event }) => event.id },
      actions: [
        { type: 'stopMembers', params: ({ event }) => [event.id] },
        assign(({ context, event }) => ({
          addresses: context.addresses.filter(({ address }) => idOfAddress(address) !== event.id),
        })),
        ...addressesChangedHere,
      ],
    },
    'fleet.addressesChanged': {
      actions: [
        {
          type: 'stopMembers',
          params: ({ context, event }) =>
            context.addresses.flatMap(({ address }) =>
              event.clients.some(client => client.address === address) ? [] : [idOfAddress(address)],
            ),
        },
        assign(({ event }) => ({ addresses: event.clients })),
        ...addressesChanged,
      ],
    },
    'fleet.setState': [
      {
        guard: { type: 'canBroadcastTo', params: ({ event }) => event.ids },
        actions: [
          { type: 'sendState', params: ({ event }) => ({ state: event.state, around: 'unreached' }) },
          { type: 'requestBroadcast', params: ({ event }) => event.state },
        ],
      },
      { actions: { type: 'sendState', params: ({ event }) => ({ state: event.state, ids: event.ids }) } },
    ],
    'fleet.broadcastSent': {
      actions: [
        {
          type: 'notifyBroadcast',
          params: ({ event: { state, at } }) => ({ type: 'client.broadcastApplied', state, at }),
        },
        { type: 'notifyMissed', params: ({ event }) => event.state },
      ],
    },
    'fleet.broadcastRefused': {
      actions: [
        { type: 'sendState', params: ({ event }) => ({ state: event.state, around: 'reached' }) },
        { type: 'notifyMissed', params: ({ event }) => event.state },
      ],
    },
    'fleet.linkWhenConnected': { actions: [{ type: 'assignLinksWhenSeen', params: true }, 'notifyLinkable'] },
    'fleet.link': {
      actions: {
        type: 'sendToMember',
        params: ({ event: { id, name, secrets } }) => ({ id, news: { type: 'client.link', name, secrets } }),
      },
    },
    'fleet.reportHistory': { actions: { type: 'requestHistory', params: ({ event }) => event.ids } },
    'client.historyAsked': {
      guard: { type: 'isMember', params: ({ event }) => event.id },
      actions: { type: 'notifyHistoryAsked', params: ({ event }) => event.id },
    },
    'client.unitsEnded': {
      guard: { type: 'isMember', params: ({ event }) => event.id },
      actions: { type: 'notifyUnitsEnded', params: ({ event }) => event },
    },
    'fleet.retry': { actions: { type: 'sendToAll', params: { type: 'client.reconnect' } } },
    'fleet.suspicionDue': { actions: { type: 'confirmClones', params: ({ event }) => event.id } },
    'fleet.listDue': { actions: 'requestListAgain' },
    'fleet.check': { actions: { type: 'sendToDirect', params: { type: 'client.check' } } },
    'fleet.pageSeen': {
      actions: { type: 'sendToDirect', params: ({ event }) => ({ type: 'client.pageSeen', isHidden: event.isHidden }) },
    },
    'fleet.clonesKnown': { actions: { type: 'assignClones', params: ({ event }) => event.clones } },
    'fleet.restored': {
      actions: [
        { type: 'assignClones', params: ({ event }) => clonesRemembered(event.machines) },
        { type: 'spawnRestored', params: ({ event }) => event.machines },
        { type: 'notifyRestored', params: ({ event }) => event.machines },
      ],
    },
    'fleet.machinesListed': {
      actions: [
        assign({ awaitsAccount: false }),
        { type: 'resetListRequests', params: ({ event }) => event.machines },
        { type: 'removeUnlisted', params: ({ context, event }) => unlistedIds(context, event.machines) },
        // Names first: otherwise open settings would use the name of the last visit.
        { type: 'renameListed', params: ({ event }) => event.machines },
        { type: 'changeEnvironment', params: ({ event }) => ({ account: event.account }) },
        { type: 'assignListed', params: ({ event }) => event.machines },
        'spawnNextListed',
        'notifyJoined',
        'scheduleSpawn',
      ],
    },
    'fleet.spawnNext': { actions: ['spawnNextListed', 'notifyJoined', 'scheduleSpawn'] },
    'fleet.accountSignedOut': {
      actions: [
        { type: 'stopMembers', params: ({ context }) => unlistedIds(context, []) },
        { type: 'changeEnvironment', params: { account: undefined } },
        { type: 'assignLinksWhenSeen', params: false },
        { type: 'assignListed', params: [] },
        assign({ unlisted: [], restartsOwed: [], leaving: [], awaitsAccount: false }),
        'clearListRequests',
      ],
    },
    'fleet.latestVersionChanged': {
      actions: { type: 'changeEnvironment', params: ({ event }) => ({ latestVersion: event.version }) },
    },
    'fleet.chosen': { actions: { type: 'changeEnvironment', params: ({ event }) => event.choices } },
    'relay.clientConnected': [
      {
        guard: { type: 'isMember', params: ({ event }) => event.id },
        actions: {
          type: 'sendToMember',
          params: ({ event }) => ({ id: event.id, news: { type: 'client.joined' } }),
        },
      },
      {
        guard: { type: 'isListed', params: ({ event }) => event.id },
        actions: { type: 'addUnlisted', params: ({ event }) => event.id },
      },
      { actions: [{ type: 'addUnlisted', params: ({ event }) => event.id }, 'requestList'] },
    ],
    'relay.clientDisconnected': {
      actions: [
        {
          type: 'sendToMember',
          params: ({ event }) => ({ id: event.id, news: { type: 'client.left', at: event.at } }),
        },
        { type: 'removeUnlistedId', params: ({ event }) => event.id },
        // When it reconnects it fetches its account by itself.
        { type: 'sendToMember', params: ({ event }) => ({ id: event.id, news: { type: 'client.cancelRestart' } }) },
      ],
    },
    'relay.lost': {
      actions: [
        { type: 'sendToRelayed', params: ({ event }) => ({ type: 'client.left', at: event.at }) },
        assign({ unlisted: [] }),
      ],
    },
    'client.reported': [
      {
        guard: { type: 'isLeaving', params: ({ event }) => event.id },
        actions: [
          { type: 'assignRestartsOwed', params: ({ event }) => event },
          'restartThroughTwins',
          'stopRestartedMembers',
        ],
      },
      {
        guard: { type: 'isMember', params: ({ event }) => event.id },
        actions: [
          { type: 'notifyLocalDonor', params: ({ event }) => event },
          { type: 'assignReport', params: ({ event }) => event },
          { type: 'suspectClones', params: ({ event }) => event.id },
          { type: 'releaseTwins', params: ({ event }) => event.id },
          { type: 'renameDirect', params: ({ event }) => event.id },
          { type: 'assignRestartsOwed', params: ({ event }) => event },
          'restartThroughTwins',
          'notifyLinkable',
        ],
      },
    ],
  },
})

/** The list with clients at its end, as they were typed. */
function withTyped(
  { addresses }: FleetContext,
  typed: readonly { readonly address: string; readonly name?: string | undefined }[],
): readonly DirectClient[] {
  return withClients(
    addresses,
    typed.flatMap(({ address, name }) => directClientOf(address, name) ?? []),
  )
}

export type FleetRef = ActorRefFrom<typeof fleetMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly fleet: FleetRef
  }
}
export type FleetSnapshot = SnapshotFrom<typeof fleetMachine>
