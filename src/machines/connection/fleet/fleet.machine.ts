import { assign, enqueueActions, sendParent, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { formatAddress, parseAddress } from '../../../folding/address.ts'
import { DIRECT_ID } from '../../../folding/client.ts'
import { isSameDonor, nobody } from '../../../folding/donor.ts'
import { emptyShelves, onShelf, putOnShelf, takeFromShelves, type Shelves } from '../../../folding/shelves.ts'
import { emptySummary, replaceSummary, type Summary } from '../../../folding/totals.ts'
import type { ClientInput } from '../client/client.context.ts'
import { clientMachine, type ClientRef } from '../client/client.machine.ts'
import type { ClientEvent, FoldingWord, Surroundings } from '../client/client.events.ts'
import type { ClientReport } from '../client/client.meaning.ts'
import type { ClientUnitsEnded, FleetEvent, FleetNotice, MachineEntry, RememberedMachine } from './fleet.events.ts'
import { linkNotice } from './fleet.linking.ts'
import { rosterWith, rosterWithout, shownIds, type Roster } from './fleet.roster.ts'

export type FleetMember = {
  readonly ref: ClientRef
  readonly kind: 'direct' | 'relay'
}

export type FleetContext = {
  readonly members: Readonly<Record<string, FleetMember>>
  /** What each member says of itself, by id. */
  readonly reports: Shelves<ClientReport>
  /** What of it decides who is shown and in which order; another object only when that may have changed. */
  readonly roster: Roster
  readonly totals: Summary
  readonly surroundings: Surroundings
  /** When the relay named clients that the account's list did not hold, by id. */
  readonly unlisted: Readonly<Record<string, number>>
  /** Whether it is not known yet who is signed in, so that the account's machines of the last visit may be shown. */
  readonly awaitsAccount: boolean
  /** Addresses that a person added beside the default one. */
  readonly addresses: readonly string[]
  /** host:port of the client on this computer. */
  readonly localAddress: string
  /** Whether clients are to report the units that ended. */
  readonly collects: boolean
  /** Whether that client is to be linked as soon as it is seen. */
  readonly linksOnSight: boolean
}

export type FleetInput = {
  /** host:port of the client on this computer, or '' to look for none. */
  readonly defaultAddress: string
  readonly addresses: readonly string[]
}

type Listing = { readonly account: string; readonly machines: readonly MachineEntry[] }
type Asked = { readonly word: FoldingWord; readonly ids?: readonly string[] | undefined; readonly kind?: FleetMember['kind'] }

export const fleetMachine = setup({
  types: { context: {} as FleetContext, events: {} as FleetEvent, input: {} as FleetInput },
  actors: { client: clientMachine },
  guards: {
    isMember: ({ context }, id: string) => context.members[id] !== undefined,
    isAddress: (_, address: string) => parseAddress(address) !== undefined,
    isForSeveral: ({ context }, ids: readonly string[] | undefined) => ids === undefined && canBroadcast(context),
    isAdded: ({ context }, id: string) => context.addresses.some(address => idOfAddress(address) === id),
  },
  actions: {
    keepAddresses: (_, _params: readonly string[]): void => undefined,
    tellListIsOld: sendParent({ type: 'fleet.listIsOld' } satisfies FleetNotice),
    startDirect: enqueueActions(({ enqueue }, { id, address }: { id: string; address: string }) => {
      enqueue.assign(({ context, spawn }) => {
        if (context.members[id] !== undefined || parseAddress(address) === undefined) return {}
        const input: ClientInput = { id, kind: 'direct', address, surroundings: context.surroundings, collects: context.collects }
        const ref = spawn('client', { id, systemId: `client:${id}`, input })
        return { members: { ...context.members, [id]: { ref, kind: 'direct' } } }
      })
    }),
    addAddress: assign({
      addresses: ({ context }, address: string) =>
        context.addresses.includes(address) ? context.addresses : [...context.addresses, address],
    }),
    removeAddress: assign({
      addresses: ({ context }, id: string) => context.addresses.filter(address => idOfAddress(address) !== id),
    }),
    stopMembers: enqueueActions(({ context, enqueue }, ids: readonly string[]) => {
      for (const id of ids) {
        const member = context.members[id]
        if (member !== undefined) enqueue.stopChild(member.ref)
      }
      enqueue.assign(({ context: now }) => ({
        members: without(now.members, ids),
        reports: takeFromShelves(now.reports, ids),
        roster: rosterWithout(now.roster, ids),
        totals: ids.reduce((totals, id) => replaceSummary(totals, onShelf(now.reports, id)?.summary, undefined), now.totals),
      }))
    }),
    spawnListed: assign(({ context, spawn }, { account, machines }: Listing) => {
      const surroundings = { ...context.surroundings, account }
      const members = { ...context.members }
      for (const { id, name } of machines) {
        if (members[id] !== undefined) continue
        const input: ClientInput = { id, kind: 'relay', name, surroundings, collects: context.collects }
        members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input }), kind: 'relay' }
      }
      return { members }
    }),
    spawnRecalled: assign(({ context, spawn }, machines: readonly RememberedMachine[]) => {
      const members = { ...context.members }
      for (const { id, kind, name } of machines) {
        if (kind === 'direct' || members[id] !== undefined || !context.awaitsAccount) continue
        const input: ClientInput = { id, kind, surroundings: context.surroundings, ...(name === undefined ? {} : { name }) }
        members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input }), kind }
      }
      return { members }
    }),
    recall: enqueueActions(({ context, enqueue }, machines: readonly RememberedMachine[]) => {
      for (const { id, data, at } of machines) {
        const ref = context.members[id]?.ref
        if (ref !== undefined) enqueue.sendTo(ref, { type: 'client.recalled', data, at } satisfies ClientEvent)
      }
    }),
    renameListed: enqueueActions(({ context, enqueue }, machines: readonly MachineEntry[]) => {
      for (const { id, name } of machines) {
        const ref = context.members[id]?.ref
        if (ref === undefined) continue
        enqueue.sendTo(ref, { type: 'client.renamed', name } satisfies ClientEvent)
        const at = context.unlisted[id]
        if (at !== undefined) enqueue.sendTo(ref, { type: 'client.joined', at } satisfies ClientEvent)
      }
      enqueue.assign({ unlisted: {} })
    }),
    changeSurroundings: enqueueActions(({ context, enqueue }, change: Partial<Surroundings>) => {
      const surroundings = { ...context.surroundings, ...change }
      enqueue.assign({ surroundings })
      for (const { ref } of Object.values(context.members))
        enqueue.sendTo(ref, { type: 'client.surroundingsChanged', surroundings } satisfies ClientEvent)
    }),
    tell: enqueueActions(({ context, enqueue }, { id, news }: { id: string; news: ClientEvent }) => {
      const ref = context.members[id]?.ref
      if (ref !== undefined) enqueue.sendTo(ref, news)
    }),
    tellAll: enqueueActions(({ context, enqueue }, news: ClientEvent) => {
      for (const { ref } of Object.values(context.members)) enqueue.sendTo(ref, news)
    }),
    tellHistory: enqueueActions(({ context, enqueue }, { id, machine, units }: ClientUnitsEnded) => {
      const owner = context.members[id]?.kind === 'relay' ? context.surroundings.account : undefined
      enqueue.sendParent({ type: 'fleet.unitsEnded', machine: { ...machine, owner }, units } satisfies FleetNotice)
    }),
    tellRelayed: enqueueActions(({ context, enqueue }, news: ClientEvent) => {
      for (const { ref, kind } of Object.values(context.members)) if (kind === 'relay') enqueue.sendTo(ref, news)
    }),
    tellDirect: enqueueActions(({ context, enqueue }, news: ClientEvent) => {
      for (const { ref, kind } of Object.values(context.members)) if (kind === 'direct') enqueue.sendTo(ref, news)
    }),
    askShown: enqueueActions(({ context, enqueue }, { word, ids, kind }: Asked) => {
      for (const id of ids ?? shownIds(context.roster)) {
        const member = context.members[id]
        if (member === undefined || onShelf(context.reports, id)?.isTooOld === true) continue
        if ((kind ?? member.kind) === member.kind) enqueue.sendTo(member.ref, { type: `client.${word}` } satisfies ClientEvent)
      }
    }),
    wantBroadcast: sendParent((_, word: FoldingWord): FleetNotice => ({ type: 'fleet.broadcastWanted', word })),
    linkOnSight: assign((_, linksOnSight: boolean) => ({ linksOnSight })),
    tellLocalDonor: enqueueActions(({ context, enqueue }, { id, report: { donor } }: { id: string; report: ClientReport }) => {
      if (id === DIRECT_ID && donor !== undefined && !isSameDonor(donor, onShelf(context.reports, id)?.donor ?? nobody))
        enqueue.sendParent({ type: 'fleet.localDonorLearned', donor } satisfies FleetNotice)
    }),
    lookForLink: enqueueActions(({ context, enqueue }) => {
      const notice = context.linksOnSight ? linkNotice(context) : undefined
      if (notice === undefined) return
      enqueue.assign({ linksOnSight: false })
      enqueue.sendParent(notice)
    }),
    noteUnlisted: assign({
      unlisted: ({ context }, { id, at }: { id: string; at: number }) => ({ ...context.unlisted, [id]: at }),
    }),
    takeReport: assign(({ context }, { id, report }: { id: string; report: ClientReport }) => ({
      reports: putOnShelf(context.reports, id, report),
      roster: rosterWith(context.roster, id, context.members[id]?.kind === 'direct', report),
      totals: replaceSummary(context.totals, onShelf(context.reports, id)?.summary, report.summary),
    })),
  },
}).createMachine({
  id: 'fleet',
  description: 'All the clients that can be seen from here, each one once.',
  context: ({ input, spawn }) => {
    const surroundings: Surroundings = { account: undefined, latestVersion: undefined }
    const members: Record<string, FleetMember> = {}
    const named = [...(input.defaultAddress === '' ? [] : [[DIRECT_ID, input.defaultAddress] as const]), ...input.addresses.map(address => [idOfAddress(address), address] as const)]
    for (const [id, address] of named) {
      if (members[id] !== undefined || parseAddress(address) === undefined) continue
      const clientInput: ClientInput = { id, kind: 'direct', address, surroundings }
      members[id] = { ref: spawn('client', { id, systemId: `client:${id}`, input: clientInput }), kind: 'direct' }
    }
    return { members, reports: emptyShelves(), roster: {}, totals: emptySummary, surroundings, unlisted: {}, awaitsAccount: true, addresses: input.addresses, localAddress: input.defaultAddress, collects: false, linksOnSight: false }
  },
  on: {
    'fleet.connect': {
      guard: { type: 'isAddress', params: ({ event }) => event.address },
      actions: [
        { type: 'startDirect', params: ({ event }) => ({ id: idOfAddress(event.address), address: spelled(event.address) }) },
        { type: 'tell', params: ({ event }) => ({ id: idOfAddress(event.address), news: { type: 'client.reconnect' } }) },
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
    'fleet.fold': [
      {
        guard: { type: 'isForSeveral', params: ({ event }) => event.ids },
        actions: [{ type: 'askShown', params: { word: 'fold', kind: 'direct' } }, { type: 'wantBroadcast', params: 'fold' }],
      },
      { actions: { type: 'askShown', params: ({ event }) => ({ word: 'fold', ids: event.ids }) } },
    ],
    'fleet.pause': [
      {
        guard: { type: 'isForSeveral', params: ({ event }) => event.ids },
        actions: [{ type: 'askShown', params: { word: 'pause', kind: 'direct' } }, { type: 'wantBroadcast', params: 'pause' }],
      },
      { actions: { type: 'askShown', params: ({ event }) => ({ word: 'pause', ids: event.ids }) } },
    ],
    'fleet.finish': [
      {
        guard: { type: 'isForSeveral', params: ({ event }) => event.ids },
        actions: [{ type: 'askShown', params: { word: 'finish', kind: 'direct' } }, { type: 'wantBroadcast', params: 'finish' }],
      },
      { actions: { type: 'askShown', params: ({ event }) => ({ word: 'finish', ids: event.ids }) } },
    ],
    'fleet.broadcastSent': {
      actions: { type: 'tellRelayed', params: ({ event: { word, at } }) => ({ type: 'client.wasTold', word, at }) },
    },
    'fleet.broadcastRefused': { actions: { type: 'askShown', params: ({ event }) => ({ word: event.word, kind: 'relay' }) } },
    'fleet.linkOnSight': { actions: [{ type: 'linkOnSight', params: true }, 'lookForLink'] },
    'fleet.link': {
      actions: { type: 'tell', params: ({ event: { id, name, secrets } }) => ({ id, news: { type: 'client.link', name, secrets } }) },
    },
    'fleet.collect': { actions: [assign({ collects: true }), { type: 'tellAll', params: { type: 'client.collect' } }] },
    'client.unitsEnded': {
      guard: { type: 'isMember', params: ({ event }) => event.id },
      actions: { type: 'tellHistory', params: ({ event }) => event },
    },
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
        { type: 'stopMembers', params: ({ context, event }) => unlistedIds(context, event.machines) },
        { type: 'spawnListed', params: ({ event }) => event },
        { type: 'changeSurroundings', params: ({ event }) => ({ account: event.account }) },
        { type: 'renameListed', params: ({ event }) => event.machines },
      ],
    },
    'fleet.accountLeft': {
      actions: [
        { type: 'stopMembers', params: ({ context }) => unlistedIds(context, []) },
        { type: 'changeSurroundings', params: { account: undefined } },
        { type: 'linkOnSight', params: false },
        assign({ unlisted: {}, awaitsAccount: false }),
      ],
    },
    'fleet.versionLearned': {
      actions: { type: 'changeSurroundings', params: ({ event }) => ({ latestVersion: event.version }) },
    },
    'relay.clientConnected': [
      {
        guard: { type: 'isMember', params: ({ event }) => event.id },
        actions: { type: 'tell', params: ({ event }) => ({ id: event.id, news: { type: 'client.joined', at: event.at } }) },
      },
      { actions: [{ type: 'noteUnlisted', params: ({ event }) => event }, 'tellListIsOld'] },
    ],
    'relay.clientDisconnected': {
      actions: { type: 'tell', params: ({ event }) => ({ id: event.id, news: { type: 'client.left', at: event.at } }) },
    },
    'relay.lost': { actions: { type: 'tellRelayed', params: ({ event }) => ({ type: 'client.left', at: event.at }) } },
    'client.reported': {
      guard: { type: 'isMember', params: ({ event }) => event.id },
      actions: [{ type: 'tellLocalDonor', params: ({ event }) => event }, { type: 'takeReport', params: ({ event }) => event }, 'lookForLink'],
    },
  },
})

export type FleetRef = ActorRefFrom<typeof fleetMachine>
export type FleetSnapshot = SnapshotFrom<typeof fleetMachine>

/** Everything that is typed as an address has one spelling. */
const spelled = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : formatAddress(parsed)
}

/** A client that was added by its address has it for an id, so that its page can be bookmarked. */
export const idOfAddress = (address: string): string => `@${spelled(address)}`

/** A broadcast saves time for several machines, and reaches all of them: also those that are too old to be told anything. */
const canBroadcast = ({ members, reports }: FleetContext): boolean => {
  const relayed = Object.keys(members).flatMap(id => (members[id]?.kind === 'relay' ? (onShelf(reports, id) ?? []) : []))
  return relayed.filter(({ isConnected }) => isConnected).length > 1 && !relayed.some(({ isTooOld }) => isTooOld)
}

const unlistedIds = ({ members }: FleetContext, machines: readonly MachineEntry[]): readonly string[] => {
  const listed = new Set(machines.map(({ id }) => id))
  return Object.entries(members).flatMap(([id, { kind }]) => (kind === 'relay' && !listed.has(id) ? [id] : []))
}

const without = <T>(record: Readonly<Record<string, T>>, ids: readonly string[]): Readonly<Record<string, T>> =>
  ids.length === 0 ? record : Object.fromEntries(Object.entries(record).filter(([id]) => !ids.includes(id)))
