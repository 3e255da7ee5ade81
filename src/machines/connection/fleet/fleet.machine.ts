import { assign, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { begun, idOfAddress, spelled, unlistedIds } from './fleet.context.ts'
import { fleetSetup } from './fleet.setup.ts'

export const fleetMachine = fleetSetup.createMachine({
  id: 'fleet',
  description: 'All the clients that can be seen from here, each one once.',
  context: ({ input, spawn }) =>
    begun(input, client => spawn('client', { id: client.id, systemId: `client:${client.id}`, input: client })),
  on: {
    'xstate.error.actor.*': { actions: { type: 'restartMember', params: ({ event }) => event.actorId } },
    'fleet.connect': {
      guard: { type: 'isAddress', params: ({ event }) => event.address },
      actions: [
        {
          type: 'startDirect',
          params: ({ event }) => ({ id: idOfAddress(event.address), address: spelled(event.address) }),
        },
        {
          type: 'tell',
          params: ({ event }) => ({ id: idOfAddress(event.address), news: { type: 'client.reconnect' } }),
        },
        { type: 'addAddress', params: ({ event }) => spelled(event.address) },
        { type: 'keepAddresses', params: ({ context }) => context.addresses },
      ],
    },
    'fleet.forget': {
      guard: { type: 'isAdded', params: ({ event }) => event.id },
      actions: [
        { type: 'stopMembers', params: ({ event }) => [event.id] },
        { type: 'removeAddress', params: ({ event }) => event.id },
        { type: 'keepAddresses', params: ({ context }) => context.addresses },
      ],
    },
    'fleet.setState': [
      {
        guard: { type: 'isForSeveral', params: ({ event }) => event.ids },
        actions: [
          { type: 'askShown', params: ({ event }) => ({ state: event.state, kind: 'direct' }) },
          { type: 'wantBroadcast', params: ({ event }) => event.state },
        ],
      },
      { actions: { type: 'askShown', params: ({ event }) => ({ state: event.state, ids: event.ids }) } },
    ],
    'fleet.broadcastSent': {
      actions: [
        { type: 'tellRelayed', params: ({ event: { state, at } }) => ({ type: 'client.wasTold', state, at }) },
        { type: 'tellMissed', params: ({ event }) => event.state },
      ],
    },
    'fleet.broadcastRefused': {
      actions: [
        { type: 'askShown', params: ({ event }) => ({ state: event.state, kind: 'relay' }) },
        { type: 'tellMissed', params: ({ event }) => event.state },
      ],
    },
    'fleet.linkOnSight': { actions: [{ type: 'linkOnSight', params: true }, 'lookForLink'] },
    'fleet.link': {
      actions: {
        type: 'tell',
        params: ({ event: { id, name, secrets } }) => ({ id, news: { type: 'client.link', name, secrets } }),
      },
    },
    'fleet.collect': { actions: [assign({ collects: true }), { type: 'tellAll', params: { type: 'client.collect' } }] },
    'client.unitsEnded': {
      guard: { type: 'isMember', params: ({ event }) => event.id },
      actions: { type: 'tellHistory', params: ({ event }) => event },
    },
    'fleet.retry': { actions: { type: 'tellAll', params: { type: 'client.reconnect' } } },
    'fleet.listDue': { actions: 'askForStrangers' },
    'fleet.check': { actions: { type: 'tellDirect', params: { type: 'client.check' } } },
    'fleet.recalled': {
      actions: [
        { type: 'spawnRecalled', params: ({ event }) => event.machines },
        { type: 'recall', params: ({ event }) => event.machines },
      ],
    },
    'fleet.machinesListed': {
      actions: [
        assign({ awaitsAccount: false }),
        { type: 'noteAnswer', params: ({ event }) => event.machines },
        { type: 'part', params: ({ context, event }) => unlistedIds(context, event.machines) },
        // Names first: settings that are open would take a name from the last visit for the present one.
        { type: 'renameListed', params: ({ event }) => event.machines },
        { type: 'changeSurroundings', params: ({ event }) => ({ account: event.account }) },
        { type: 'noteListed', params: ({ event }) => event.machines },
        'takeUpSome',
        'tellJoined',
        'takeUpMore',
      ],
    },
    'fleet.takeUp': { actions: ['takeUpSome', 'tellJoined', 'takeUpMore'] },
    'fleet.accountLeft': {
      actions: [
        { type: 'stopMembers', params: ({ context }) => unlistedIds(context, []) },
        { type: 'changeSurroundings', params: { account: undefined } },
        { type: 'linkOnSight', params: false },
        assign({ listed: [], unlisted: {}, owed: [], parting: [], awaitsAccount: false }),
        'forgetAsks',
      ],
    },
    'fleet.versionLearned': {
      actions: { type: 'changeSurroundings', params: ({ event }) => ({ latestVersion: event.version }) },
    },
    'relay.clientConnected': [
      {
        guard: { type: 'isMember', params: ({ event }) => event.id },
        actions: {
          type: 'tell',
          params: ({ event }) => ({ id: event.id, news: { type: 'client.joined', at: event.at } }),
        },
      },
      {
        guard: { type: 'isListed', params: ({ event }) => event.id },
        actions: { type: 'noteUnlisted', params: ({ event }) => event },
      },
      { actions: [{ type: 'noteUnlisted', params: ({ event }) => event }, 'askForList'] },
    ],
    'relay.clientDisconnected': {
      actions: [
        { type: 'tell', params: ({ event }) => ({ id: event.id, news: { type: 'client.left', at: event.at } }) },
        { type: 'forgetUnlisted', params: ({ event }) => event.id },
        // When it comes back it asks its account by itself.
        { type: 'tell', params: ({ event }) => ({ id: event.id, news: { type: 'client.restartSettled' } }) },
      ],
    },
    'relay.lost': {
      actions: [
        { type: 'tellRelayed', params: ({ event }) => ({ type: 'client.left', at: event.at }) },
        assign({ unlisted: {} }),
      ],
    },
    'client.reported': [
      {
        guard: { type: 'isParting', params: ({ event }) => event.id },
        actions: [{ type: 'noteOwed', params: ({ event }) => event }, 'tellOwedByTwins', 'letGo'],
      },
      {
        guard: { type: 'isMember', params: ({ event }) => event.id },
        actions: [
          { type: 'tellLocalDonor', params: ({ event }) => event },
          { type: 'takeReport', params: ({ event }) => event },
          { type: 'noteOwed', params: ({ event }) => event },
          'tellOwedByTwins',
          'lookForLink',
        ],
      },
    ],
  },
})

export type FleetRef = ActorRefFrom<typeof fleetMachine>
export type FleetSnapshot = SnapshotFrom<typeof fleetMachine>
