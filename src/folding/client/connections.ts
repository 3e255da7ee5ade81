/*
 * A client may have several connections: through the account's relay, and directly under several addresses. It is one client, identified by the id that it reports (docs/protocol.md §3; identity.ts for computers that have one id),
 * and is shown and counted once. Only this file decides by which connection.
 */
import { isLoopback, parseAddress } from '../address/address.ts'
import { DIRECT_ID } from './client.ts'

/** Best first: the page's default address or own origin, this computer, another address, the relay. */
const KINDS = ['default', 'loopback', 'network', 'relay'] as const

/** Compared as slower than every known delay. */
const SLOWEST = 99

export type ConnectionKind = (typeof KINDS)[number]

export type ClientConnection = {
  readonly id: string
  readonly kind: ConnectionKind
  readonly isConnected: boolean
  /** How long it took to open, as a step of `delayStep`; undefined until it was open once, and over the relay. */
  readonly delay: number | undefined
  /** Which client it leads to: its own id, or a `clientKey`. Undefined until it is reported. */
  readonly machine: string | undefined
}

/** The kind of a connection, from its id and address. */
export function connectionKind({
  id,
  address,
}: {
  readonly id: string
  readonly address: string | undefined
}): ConnectionKind {
  if (id === DIRECT_ID) return 'default'
  const parsed = address === undefined ? undefined : parseAddress(address)
  if (parsed === undefined) return 'relay'
  if (id.startsWith(DIRECT_ID) && parsed.nth !== undefined) return 'default'
  return isLoopback(parsed) ? 'loopback' : 'network'
}

/** Milliseconds in steps of powers of four: a connection is preferred only when it is clearly faster. */
export function delayStep(milliseconds: number): number {
  return Math.ceil(Math.log2(Math.max(1, milliseconds)) / 2)
}

/**
 * Sorts the best connection first: connected ones, then by kind, speed and id, so that the order is stable. Those of the
 * page's settings keep their order: the first is opened while the page loads, so its delay is not comparable.
 */
export function compareConnections(a: ClientConnection, b: ClientConnection): number {
  return (
    Number(b.isConnected) - Number(a.isConnected) ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    (a.kind === 'default' ? 0 : (a.delay ?? SLOWEST) - (b.delay ?? SLOWEST)) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Of all connections to one client, the ids of those that are neither shown nor counted: all but the best. */
export function hiddenConnections(ways: readonly ClientConnection[]): readonly string[] {
  return ways.length < 2
    ? []
    : [...ways]
        .sort(compareConnections)
        .slice(1)
        .map(({ id }) => id)
}
