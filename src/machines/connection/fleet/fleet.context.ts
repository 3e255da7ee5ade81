import { formatAddress, isLoopback, parseAddress } from '../../../folding/shared/address.ts'
import { DIRECT_ID, linkName } from '../../../folding/machine/client.ts'
import { emptyShardedMap, shardedGet, type ShardedMap } from '../../../folding/shared/sharded-map.ts'
import { emptySummary, type Summary } from '../../../folding/machine/totals.ts'
import type { ClientInput } from '../client/client.context.ts'
import type { FoldingState } from '../../../protocol/commands.ts'
import type { ClientEnvironment } from '../client/client.events.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { ClientReport } from '../client/client.report.ts'
import type { FleetNotification, MachineEntry } from './fleet.events.ts'
import type { Roster } from './fleet.roster.ts'

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
  readonly environment: ClientEnvironment
  /** Machines of the account that have no actor yet: large fleets are spawned in parts. */
  readonly listed: readonly MachineEntry[]
  /** Machines to which a restart has not been sent yet. */
  readonly restartsOwed: readonly string[]
  /** Those of them that left the account: kept until the restart is sent, but neither shown nor counted. */
  readonly leaving: readonly string[]
  /** Clients that the relay reported but that have no actor yet: when they connected, by id. */
  readonly unlisted: Readonly<Record<string, number>>
  /** How often the account was fetched because of such clients, and whether the retry delay is running. */
  readonly listRequests: { readonly count: number; readonly isWaiting: boolean }
  /** Whether the session is still being restored: until then the account's machines of the last visit are shown. */
  readonly awaitsAccount: boolean
  /** Addresses that the user added to the default one. */
  readonly addresses: readonly string[]
  /** host:port of the client on this computer. */
  readonly localAddress: string
  /** Whether clients report work units that ended. */
  readonly collects: boolean
  /** Whether the client on this computer is linked as soon as it connects. */
  readonly linksWhenConnected: boolean
  /** Broadcasts that are not sent yet, each with the machines that were connected when it was requested. */
  readonly pendingBroadcasts: readonly { readonly state: FoldingState; readonly ids: readonly string[] }[]
}

export type FleetInput = {
  /** host:port of the client on this computer; '' for none. */
  readonly defaultAddress: string
  readonly addresses: readonly string[]
}

/** The initial fleet, with an actor for every known address. */
export const createInitialContext = (
  { defaultAddress, addresses }: FleetInput,
  start: (client: ClientInput) => ClientRef,
): FleetContext => {
  const environment: ClientEnvironment = { account: undefined, latestVersion: undefined }
  const members: Record<string, FleetMember> = {}
  const named = [
    ...(defaultAddress === '' ? [] : [[DIRECT_ID, defaultAddress] as const]),
    ...addresses.map(address => [idOfAddress(address), address] as const),
  ]
  for (const [id, address] of named) {
    if (members[id] !== undefined || parseAddress(address) === undefined) continue
    members[id] = { ref: start({ id, kind: 'direct', address, environment }), kind: 'direct' }
  }
  return {
    members,
    reports: emptyShardedMap(),
    roster: emptyShardedMap(),
    totals: emptySummary,
    environment,
    listed: [],
    restartsOwed: [],
    leaving: [],
    unlisted: {},
    listRequests: { count: 0, isWaiting: false },
    awaitsAccount: true,
    addresses,
    localAddress: defaultAddress,
    collects: false,
    linksWhenConnected: false,
    pendingBroadcasts: [],
  }
}

/** The canonical form of a typed address. */
export const normalizeAddress = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : formatAddress(parsed)
}

/** The id of a client added by address contains the address, so that its page can be bookmarked. */
export const idOfAddress = (address: string): string => `@${normalizeAddress(address)}`

/** A broadcast is used for more than one machine. It reaches all of them, so none may be too old to be controlled. */
export const canBroadcast = ({ members, reports }: FleetContext): boolean => {
  const relayed = Object.keys(members).flatMap(id =>
    members[id]?.kind === 'relay' ? (shardedGet(reports, id) ?? []) : [],
  )
  return relayed.filter(({ isConnected }) => isConnected).length > 1 && !relayed.some(({ isTooOld }) => isTooOld)
}

/** Another open connection to the same machine. */
export const connectedTwin = ({ members, reports }: FleetContext, id: string): ClientRef | undefined => {
  const machineOf = (member: string): string | undefined =>
    members[member]?.kind === 'relay' ? member : shardedGet(reports, member)?.machine
  const machine = machineOf(id)
  const twin = Object.keys(members).find(
    other =>
      other !== id &&
      machine !== undefined &&
      machineOf(other) === machine &&
      shardedGet(reports, other)?.isConnected === true,
  )
  return twin === undefined ? undefined : members[twin]?.ref
}

/** Members of the account that its list no longer holds. */
export const unlistedIds = ({ members }: FleetContext, machines: readonly MachineEntry[]): readonly string[] => {
  const listed = new Set(machines.map(({ id }) => id))
  return Object.entries(members).flatMap(([id, { kind }]) => (kind === 'relay' && !listed.has(id) ? [id] : []))
}

/**
 * Whether the client on this computer should be linked after a login: it has no account, or another one, in which case
 * the user is asked. Undefined for a client that is disconnected or already linked.
 */
export const linkNotice = ({ reports, environment, localAddress }: FleetContext): FleetNotification | undefined => {
  const report = shardedGet(reports, DIRECT_ID)
  const address = parseAddress(localAddress)
  if (report?.account === undefined || !report.isConnected || environment.account === undefined) return undefined
  if (report.account === environment.account || address === undefined || !isLoopback(address)) return undefined
  return {
    type: report.account === '' ? 'fleet.unlinkedClientFound' : 'fleet.foreignClientFound',
    id: DIRECT_ID,
    name: linkName(report.name),
  }
}
