/*
 * A client may have several connections: through the account's relay, and directly under several addresses. It is one
 * machine, identified by the id that the client reports (docs/protocol.md §3), and is shown and counted once. Only this
 * file decides by which connection.
 */
import { isLoopback, parseAddress } from '../shared/address.ts'
import { DIRECT_ID } from './client.ts'

/** Best first: the page's default address or own origin, this computer, another address, the relay. */
const KINDS = ['default', 'loopback', 'network', 'relay'] as const

/** Compared as slower than every known delay. */
const SLOWEST = 99

export type ConnectionKind = (typeof KINDS)[number]

/** One connection to a client. */
export type ClientConnection = {
  /** The connection's id. */
  readonly id: string
  readonly kind: ConnectionKind
  readonly isConnected: boolean
  /** How long it took to open, as a step of `delayStep`; undefined until it was open once, and over the relay. */
  readonly delay: number | undefined
  /** The client's own id; undefined until it is reported. Over the relay it is the connection's id. */
  readonly machine: string | undefined
}

/** The kind of a connection, from its id and address. */
export const connectionKind = ({
  id,
  address,
}: {
  readonly id: string
  readonly address: string | undefined
}): ConnectionKind => {
  if (id === DIRECT_ID) return 'default'
  const parsed = address === undefined ? undefined : parseAddress(address)
  if (parsed === undefined) return 'relay'
  if (id.startsWith(DIRECT_ID) && parsed.nth !== undefined) return 'default'
  return isLoopback(parsed) ? 'loopback' : 'network'
}

/** Milliseconds in steps of powers of four: a connection is preferred only when it is clearly faster. */
export const delayStep = (milliseconds: number): number => Math.ceil(Math.log2(Math.max(1, milliseconds)) / 2)

/** Sorts the best connection first: connected ones, then by kind, speed and id, so that the order is stable. */
export const compareConnections = (a: ClientConnection, b: ClientConnection): number =>
  Number(b.isConnected) - Number(a.isConnected) ||
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
  (a.delay ?? SLOWEST) - (b.delay ?? SLOWEST) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Ids of the connections that are neither shown nor counted, because the same client has a better one. `direct`: all
 * connections without a relay (a relay has every machine once). `relayed` finds a machine's connection on the relay.
 */
export const hiddenConnections = (
  direct: readonly ClientConnection[],
  relayed: (machine: string) => ClientConnection | undefined,
): ReadonlySet<string> => {
  const byMachine = new Map<string, ClientConnection[]>()
  for (const way of direct) {
    if (way.machine === undefined) continue
    const others = byMachine.get(way.machine)
    if (others === undefined) byMachine.set(way.machine, [way])
    else others.push(way)
  }
  const hidden = new Set<string>()
  for (const [machine, ways] of byMachine) {
    const viaRelay = relayed(machine)
    const [, ...rest] = [...ways, ...(viaRelay === undefined ? [] : [viaRelay])].sort(compareConnections)
    for (const { id } of rest) hidden.add(id)
  }
  return hidden
}
