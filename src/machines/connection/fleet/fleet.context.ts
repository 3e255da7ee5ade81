import { formatAddress, isLoopback, parseAddress } from '../../../folding/address/address.ts'
import { DIRECT_ID, directId, linkName } from '../../../folding/client/client.ts'
import { MAX_DIRECT_CLIENTS, type DirectClient } from '../../../folding/client/direct-clients.ts'
import { type Comparison } from '../../../folding/client/identity.ts'
import { idOfKey, type Clones, type Traits } from '../../../folding/client/client-key.ts'
import { emptyShardedMap, shardedGet, type ShardedMap } from '../../../folding/shared/sharded-map.ts'
import { emptySummary, type Summary } from '../../../folding/client/totals.ts'
import type { ClientInput } from '../client/client.context.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import type { ClientEnvironment, ClientReport } from '../client/client.events.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { Choices, ClientEntry, FleetNotification } from './fleet.events.ts'
import { hiddenIds, type Roster } from './fleet.roster.ts'

export type FleetMember = {
  readonly ref: ClientRef
  readonly kind: 'direct' | 'relay'
}

export type FleetContext = {
  readonly members: Readonly<Record<string, FleetMember>>
  /** The last report of each member, by id. */
  readonly reports: ShardedMap<ClientReport>
  /** The part of the reports that decides which members are shown and in which order; a new object only when that may have changed. */
  readonly roster: Roster
  readonly totals: Summary
  /** Ids that several computers were found to have, and how these are told apart. It stays so. */
  readonly clones: Clones
  /** Ids of connected clients that report different processes, with these. */
  readonly suspects: Readonly<Record<string, string>>
  /** The computer that a connection led to before the present one, if it was another one with the same id. */
  readonly alternates: Readonly<Record<string, Traits>>
  /** What members were told that comparing them with the others told, where there is something to tell. */
  readonly comparisons: ReadonlyMap<string, Comparison>
  readonly environment: ClientEnvironment
  /** Clients that have no actor yet: large fleets are spawned in parts. Those with an address are not of the account. */
  readonly listed: readonly Pick<ClientInput, 'id' | 'address' | 'name'>[]
  /** Clients to which a restart has not been sent yet. */
  readonly restartsOwed: readonly string[]
  /** Those of them that left the account: kept until the restart is sent, but neither shown nor counted. */
  readonly leaving: readonly string[]
  /** Clients that the relay reported but that have no actor yet. */
  readonly unlisted: readonly string[]
  /** How often the account was fetched because of such clients, and whether the retry delay is running. */
  readonly listRequests: { readonly count: number; readonly isWaiting: boolean }
  /** Whether the session is still being restored: until then the account's clients of the last visit are shown. */
  readonly awaitsAccount: boolean
  /** Clients that the user added to the default ones, in the user's order. */
  readonly addresses: readonly DirectClient[]
  /** host:port of the client on this computer. */
  readonly localAddress: string
  /** Addresses of the other clients that the page's settings name. */
  readonly otherDefaults: readonly string[]
  /** Whether directly connected clients report work units that ended. */
  readonly collects: boolean
  /** Clients of the account that the page has directly: no session through the relay is opened for them. */
  readonly released: readonly string[]
  /** Whether the client on this computer is linked as soon as it connects. */
  readonly linksWhenConnected: boolean
  /** Broadcasts that are not sent yet, each with the clients that were connected when it was requested. */
  readonly pendingBroadcasts: readonly { readonly state: FoldingState; readonly ids: readonly string[] }[]
}

export type FleetInput = {
  /** host:port of the client on this computer; '' for none. */
  readonly defaultAddress: string
  /** Other clients that the page's settings name. */
  readonly otherDefaults?: readonly string[]
  readonly addresses: readonly DirectClient[]
  /** Ids that several computers were found to have. */
  readonly clones?: Clones
  readonly choices?: Choices
  /** Whether accounts are of a network of simulated clients. */
  readonly isDemo?: boolean
}

/** How many clients are spawned at once. */
export const PART = 100

/** The initial fleet, with actors for the first known addresses. */
export function createInitialContext(
  { defaultAddress, otherDefaults = [], addresses, clones = {}, choices = {}, isDemo = false }: FleetInput,
  start: (client: ClientInput) => ClientRef,
): FleetContext {
  const environment: ClientEnvironment = {
    account: undefined,
    latestVersion: undefined,
    ...choices,
    ...(isDemo ? { isDemo } : {}),
  }
  const members: Record<string, FleetMember> = {}
  const remembered = [
    ...[defaultAddress, ...otherDefaults].map((address, at) => ({ id: directId(at), address })),
    ...addresses.map(({ address, name }) => ({
      id: idOfAddress(address),
      address,
      ...(name === undefined ? {} : { name }),
    })),
  ].filter(({ address }) => parseAddress(address) !== undefined)
  for (const client of remembered.slice(0, PART))
    members[client.id] ??= { ref: start({ ...client, kind: 'direct', environment }), kind: 'direct' }
  return {
    members,
    reports: emptyShardedMap(),
    roster: emptyShardedMap(),
    totals: emptySummary,
    clones,
    suspects: {},
    alternates: {},
    comparisons: new Map(),
    environment,
    listed: remembered.slice(PART),
    restartsOwed: [],
    leaving: [],
    unlisted: [],
    listRequests: { count: 0, isWaiting: false },
    awaitsAccount: true,
    addresses,
    localAddress: defaultAddress,
    otherDefaults,
    collects: false,
    released: [],
    linksWhenConnected: false,
    pendingBroadcasts: [],
  }
}

/** The canonical form of a typed address. */
export function normalizeAddress(address: string): string {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : formatAddress(parsed)
}

/** The id of a client added by address contains the address, so that its page can be bookmarked. */
export function idOfAddress(address: string): string {
  return `@${normalizeAddress(address)}`
}

/** Whether the list holds the client at this address, or has room for it. */
export function hasRoomFor({ addresses }: FleetContext, typed: string): boolean {
  return addresses.length < MAX_DIRECT_CLIENTS || addresses.some(({ address }) => address === normalizeAddress(typed))
}

const ranks = new WeakMap<
  FleetContext['addresses'],
  { readonly otherDefaults: readonly string[]; readonly ranks: ReadonlyMap<string, number> }
>()

/**
 * Positions of direct clients in the order of the list: the settings' own first, then the user's list. Cached, since
 * every report of a direct client needs its position, and a server has thousands of them.
 */
export function ranksOf({ addresses, otherDefaults }: FleetContext): ReadonlyMap<string, number> {
  const cached = ranks.get(addresses)
  if (cached?.otherDefaults === otherDefaults) return cached.ranks
  const made = new Map(
    [
      DIRECT_ID,
      ...otherDefaults.map((_, at) => directId(at + 1)),
      ...addresses.map(client => idOfAddress(client.address)),
    ].map((id, rank) => [id, rank]),
  )
  ranks.set(addresses, { otherDefaults, ranks: made })
  return made
}

/**
 * The names that this browser gives to direct connections, by id: the name of the address, else the one given to another
 * address of the same client, so that a client keeps its name whichever connection is shown.
 */
export function namesGiven({ members, roster, addresses }: FleetContext): ReadonlyMap<string, string | undefined> {
  const byId = new Map<string, string>()
  const byClient = new Map<string, string>()
  for (const { address, name } of addresses) {
    if (name === undefined) continue
    const id = idOfAddress(address)
    const client = shardedGet(roster, id)?.machine
    byId.set(id, name)
    if (client !== undefined && !byClient.has(client)) byClient.set(client, name)
  }
  const direct = Object.keys(members).filter(id => members[id]?.kind === 'direct')
  return new Map(direct.map(id => [id, byId.get(id) ?? byClient.get(shardedGet(roster, id)?.machine ?? '')] as const))
}

/**
 * A broadcast is used for more than one client that has no better connection. It reaches all of the account, so none may
 * be too old to be controlled.
 */
export function canBroadcast({ members, reports, roster }: FleetContext): boolean {
  const hidden = hiddenIds(roster)
  const relayed = Object.keys(members).filter(id => members[id]?.kind === 'relay')
  const isThere = (id: string): boolean => shardedGet(reports, id)?.isConnected === true && !hidden.has(id)
  return relayed.filter(isThere).length > 1 && !relayed.some(id => shardedGet(reports, id)?.isTooOld === true)
}

/** Whether a broadcast reaches the client of this direct connection, because it is connected to the relay as well. */
export function hasConnectedRelayTwin({ members, reports, roster }: FleetContext, id: string): boolean {
  const client = shardedGet(roster, id)?.machine
  const twin = client === undefined ? undefined : shardedGet(roster, idOfKey(client))
  return (
    twin !== undefined &&
    members[twin.id]?.kind === 'relay' &&
    twin.machine === client &&
    shardedGet(reports, twin.id)?.isAtRelay === true
  )
}

/** The shown connections of the clients that a broadcast reaches. */
export function reachedByBroadcast(context: FleetContext): readonly string[] {
  const hidden = hiddenIds(context.roster)
  return Object.entries(context.members).flatMap(([id, { kind }]) =>
    !hidden.has(id) && (kind === 'relay' || hasConnectedRelayTwin(context, id)) ? [id] : [],
  )
}

/** Another open connection to the same client. */
export function connectedTwin({ members, reports, roster }: FleetContext, id: string): ClientRef | undefined {
  const clientOf = (member: string): string | undefined =>
    shardedGet(roster, member)?.machine ?? (members[member]?.kind === 'relay' ? member : undefined)
  const client = clientOf(id)
  const twin = Object.keys(members).find(
    other =>
      other !== id &&
      client !== undefined &&
      clientOf(other) === client &&
      shardedGet(reports, other)?.isConnected === true,
  )
  return twin === undefined ? undefined : members[twin]?.ref
}

/** Members of the account that its list no longer holds. */
export function unlistedIds({ members }: FleetContext, clients: readonly ClientEntry[]): readonly string[] {
  const listed = new Set(clients.map(({ id }) => id))
  return Object.entries(members).flatMap(([id, { kind }]) => (kind === 'relay' && !listed.has(id) ? [id] : []))
}

/**
 * Whether the client on this computer should be linked after a login: it has no account, or another one, in which case
 * the user is asked. Undefined for a client that is disconnected or already linked, and where only one of client and account
 * is simulated.
 */
export function linkNotice({ reports, environment, localAddress }: FleetContext): FleetNotification | undefined {
  const report = shardedGet(reports, DIRECT_ID)
  const address = parseAddress(localAddress)
  if (report?.account === undefined || !report.isConnected || environment.account === undefined) return undefined
  if (report.isSimulated !== (environment.isDemo === true)) return undefined
  if (report.account === environment.account || address === undefined || !isLoopback(address)) return undefined
  return {
    type: report.account === '' ? 'fleet.unlinkedClientFound' : 'fleet.foreignClientFound',
    id: DIRECT_ID,
    name: linkName(report.ownName),
  }
}
