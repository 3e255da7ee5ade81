/*
 * The clients that the user added by their addresses, in the user's order, each with a name if one was given.
 */
import { formatAddress, parseAddress } from '../address/address.ts'

export type DirectClient = {
  /** The canonical `host:port`. */
  readonly address: string
  /** Given in this browser; undefined for none. */
  readonly name: string | undefined
}

/** Each is a connection of its own, and browsers open no more than a few hundred. */
export const MAX_DIRECT_CLIENTS = 64

export const LONGEST_CLIENT_NAME = 64

/** A name as typed: one line without control characters; undefined when nothing is left. */
export function clientNameOf(typed: string | undefined): string | undefined {
  const name = (typed ?? '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_CLIENT_NAME)
    .trim()
  return name === '' ? undefined : name
}

/** The client at an address as typed; undefined when it is not an address. */
export function directClientOf(typed: string, name: string | undefined): DirectClient | undefined {
  const address = parseAddress(typed)
  return address === undefined ? undefined : { address: formatAddress(address), name: clientNameOf(name) }
}

/**
 * The list with these clients added at its end. One that is in the list keeps its place, and its name unless a new one
 * is given. What does not fit is left out.
 */
export function withClients(
  clients: readonly DirectClient[],
  additions: readonly DirectClient[],
): readonly DirectClient[] {
  const byAddress = new Map(clients.map(client => [client.address, client]))
  for (const { address, name } of additions) {
    const existing = byAddress.get(address)
    if (existing !== undefined || byAddress.size < MAX_DIRECT_CLIENTS)
      byAddress.set(address, { address, name: name ?? existing?.name })
  }
  return [...byAddress.values()]
}

/** The list with the client at `address` moved by some places, not beyond its ends. The same list if nothing moves. */
export function withMoved(clients: readonly DirectClient[], address: string, by: number): readonly DirectClient[] {
  const from = clients.findIndex(client => client.address === address)
  const to = Math.min(clients.length - 1, Math.max(0, from + by))
  const moved = clients[from]
  if (moved === undefined || to === from) return clients
  const others = clients.filter(client => client !== moved)
  return [...others.slice(0, to), moved, ...others.slice(to)]
}

/** The list with another name for the client at `address`. */
export function withName(
  clients: readonly DirectClient[],
  address: string,
  name: string | undefined,
): readonly DirectClient[] {
  return clients.map(client => (client.address === address ? { address, name: clientNameOf(name) } : client))
}
