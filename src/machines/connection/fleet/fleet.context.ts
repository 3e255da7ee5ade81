import { formatAddress, isLoopback, parseAddress } from '../../../folding/shared/address.ts'
import { DIRECT_ID, linkName } from '../../../folding/machine/client.ts'
import { emptyShelves, onShelf, type Shelves } from '../../../folding/shared/sharded-map.ts'
import { emptySummary, type Summary } from '../../../folding/machine/totals.ts'
import type { ClientInput } from '../client/client.context.ts'
import type { FoldingState } from '../../../protocol/commands.ts'
import type { Surroundings } from '../client/client.events.ts'
import type { ClientRef } from '../client/client.machine.ts'
import type { ClientReport } from '../client/client.report.ts'
import type { FleetNotice, MachineEntry } from './fleet.events.ts'
import type { Roster } from './fleet.roster.ts'

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
  /** Machines of the account's list that are not taken up yet: a large fleet is, a part at a time. */
  readonly listed: readonly MachineEntry[]
  /** Machines that have not been told yet to connect to their account anew. */
  readonly owed: readonly string[]
  /** Those of them that the account does not list any more: kept, but neither shown nor counted, until they are told. */
  readonly parting: readonly string[]
  /** When the relay named clients that were not there yet, by id. */
  readonly unlisted: Readonly<Record<string, number>>
  /** How often the account was asked for such clients, and whether the next time is not due yet. */
  readonly asks: { readonly count: number; readonly isWaiting: boolean }
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
  /** Broadcasts on their way, each with the machines that were there when it was asked for. */
  readonly called: readonly { readonly state: FoldingState; readonly ids: readonly string[] }[]
}

export type FleetInput = {
  /** host:port of the client on this computer, or '' to look for none. */
  readonly defaultAddress: string
  readonly addresses: readonly string[]
}

/** A fleet that looks for the clients whose addresses are known. */
export const begun = (
  { defaultAddress, addresses }: FleetInput,
  start: (client: ClientInput) => ClientRef,
): FleetContext => {
  const surroundings: Surroundings = { account: undefined, latestVersion: undefined }
  const members: Record<string, FleetMember> = {}
  const named = [
    ...(defaultAddress === '' ? [] : [[DIRECT_ID, defaultAddress] as const]),
    ...addresses.map(address => [idOfAddress(address), address] as const),
  ]
  for (const [id, address] of named) {
    if (members[id] !== undefined || parseAddress(address) === undefined) continue
    members[id] = { ref: start({ id, kind: 'direct', address, surroundings }), kind: 'direct' }
  }
  return {
    members,
    reports: emptyShelves(),
    roster: emptyShelves(),
    totals: emptySummary,
    surroundings,
    listed: [],
    owed: [],
    parting: [],
    unlisted: {},
    asks: { count: 0, isWaiting: false },
    awaitsAccount: true,
    addresses,
    localAddress: defaultAddress,
    collects: false,
    linksOnSight: false,
    called: [],
  }
}

/** Everything that is typed as an address has one spelling. */
export const spelled = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : formatAddress(parsed)
}

/** A client that was added by its address has it for an id, so that its page can be bookmarked. */
export const idOfAddress = (address: string): string => `@${spelled(address)}`

/** A broadcast saves time for several machines, and reaches all of them: also those that are too old to be told anything. */
export const canBroadcast = ({ members, reports }: FleetContext): boolean => {
  const relayed = Object.keys(members).flatMap(id =>
    members[id]?.kind === 'relay' ? (onShelf(reports, id) ?? []) : [],
  )
  return relayed.filter(({ isConnected }) => isConnected).length > 1 && !relayed.some(({ isTooOld }) => isTooOld)
}

/** Another connection to the same machine by which it can be told something now. */
export const connectedTwin = ({ members, reports }: FleetContext, id: string): ClientRef | undefined => {
  const machineOf = (member: string): string | undefined =>
    members[member]?.kind === 'relay' ? member : onShelf(reports, member)?.machine
  const machine = machineOf(id)
  const twin = Object.keys(members).find(
    other =>
      other !== id &&
      machine !== undefined &&
      machineOf(other) === machine &&
      onShelf(reports, other)?.isConnected === true,
  )
  return twin === undefined ? undefined : members[twin]?.ref
}

/** The account's machines that its list does not hold any more. */
export const unlistedIds = ({ members }: FleetContext, machines: readonly MachineEntry[]): readonly string[] => {
  const listed = new Set(machines.map(({ id }) => id))
  return Object.entries(members).flatMap(([id, { kind }]) => (kind === 'relay' && !listed.has(id) ? [id] : []))
}

/**
 * Whether the client on this computer is one to be linked after a login: it has no account yet, or another one, about
 * which a person must be asked. Nothing is said of a client that is out of reach or linked already.
 */
export const linkNotice = ({ reports, surroundings, localAddress }: FleetContext): FleetNotice | undefined => {
  const report = onShelf(reports, DIRECT_ID)
  const address = parseAddress(localAddress)
  if (report?.account === undefined || !report.isConnected || surroundings.account === undefined) return undefined
  if (report.account === surroundings.account || address === undefined || !isLoopback(address)) return undefined
  return {
    type: report.account === '' ? 'fleet.clientIsUnlinked' : 'fleet.clientIsForeign',
    id: DIRECT_ID,
    name: linkName(report.name),
  }
}
