/*
 * The same client may be reached in several ways: through the account's relay, and directly under several addresses.
 * It is one machine all the same, told apart by the id that the client itself says (docs/protocol.md §3), and is shown and
 * counted once. This is the only place that decides by which way.
 */
import { isLoopback, parseAddress } from '../shared/address.ts'
import { DIRECT_ID } from './client.ts'

/** The best first: where the page looks by itself, this computer, another address, the relay. */
const KINDS = ['default', 'loopback', 'network', 'relay'] as const

export type WayKind = (typeof KINDS)[number]

/** One way to reach a client. */
export type Way = {
  /** Of the connection. */
  readonly id: string
  readonly way: WayKind
  readonly isConnected: boolean
  /** The client's own id; undefined while it has not said it. Over the relay it is the id of the connection. */
  readonly machine: string | undefined
}

/** What kind of way a connection is, by its id and its address. */
export const wayKind = ({ id, address }: { readonly id: string; readonly address: string | undefined }): WayKind => {
  if (id === DIRECT_ID) return 'default'
  const parsed = address === undefined ? undefined : parseAddress(address)
  if (parsed === undefined) return 'relay'
  return isLoopback(parsed) ? 'loopback' : 'network'
}

/** The better way first: one that is connected, then by its kind. By id last, so that chance decides nothing. */
export const compareWays = (a: Way, b: Way): number =>
  Number(b.isConnected) - Number(a.isConnected) ||
  KINDS.indexOf(a.way) - KINDS.indexOf(b.way) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Ids of the ways that are neither shown nor counted, since the same client is there in a better one. `direct`: all that
 * are without a relay, since a relay alone has every machine once; `relayed` finds a machine there.
 */
export const hiddenWays = (
  direct: readonly Way[],
  relayed: (machine: string) => Way | undefined,
): ReadonlySet<string> => {
  const byMachine = new Map<string, Way[]>()
  for (const way of direct) {
    if (way.machine === undefined) continue
    const others = byMachine.get(way.machine)
    if (others === undefined) byMachine.set(way.machine, [way])
    else others.push(way)
  }
  const hidden = new Set<string>()
  for (const [machine, ways] of byMachine) {
    const twin = relayed(machine)
    const [, ...rest] = [...ways, ...(twin === undefined ? [] : [twin])].sort(compareWays)
    for (const { id } of rest) hidden.add(id)
  }
  return hidden
}
