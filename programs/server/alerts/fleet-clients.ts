import type { WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import type { SilentInput } from '../../../src/folding/schedule/conditions.ts'
import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { isSameValue } from '../../../src/folding/shared/equal.ts'
import type { OwnNames } from '../../../src/folding/fleet/tags.ts'
import { dataWithNames } from '../../../src/machines/connection/client/client.names.ts'
import { selectConnections } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { FleetSnapshot } from '../machines/server/server.selectors.ts'
import type { LabelledClient } from '../place.ts'

type WatchedClient = ReturnType<WatchDeps['readClients']>[number]
type Connection = ReturnType<typeof selectConnections>[number]
type Listed = Pick<LabelledClient, 'member' | 'address' | 'name'>

type Watched = { readonly connection: Connection; readonly client: WatchedClient; readonly ownNames: OwnNames }
/** What was read last of each. */
const watched = new WeakMap<Connection['ref'], Watched>()
const listedByMember = new WeakMap<readonly Listed[], ReadonlyMap<string, Listed>>()

function byMember(clients: readonly Listed[]): ReadonlyMap<string, Listed> {
  const known = listedByMember.get(clients) ?? new Map(clients.map(client => [client.member, client]))
  listedByMember.set(clients, known)
  return known
}

/**
 * The clients as the rules of incidents take them. `clients`: as they are shown; by addresses, `lastKeys`: what was last connected
 * there, and `silentInputs`: what their schedules wait for. `isRelayOpen`: whether clients of the account are meant to be connected
 * now. `ownNames`: of GPUs and groups. The same object for one that did not change: thousands are read each second.
 */
export function watchedClients(
  snapshot: FleetSnapshot,
  clients: readonly Listed[],
  lastKeys: ReadonlyMap<string, string>,
  silentInputs: (address: string) => readonly SilentInput[],
  isRelayOpen: boolean,
  ownNames: OwnNames,
): readonly WatchedClient[] {
  const connections = selectConnections(snapshot)
  const listed = byMember(clients)
  const keys = new Set(connections.map(({ key }) => key))
  /** One that was not connected yet is who it was, unless that one is elsewhere now. */
  const lastKeyAt = (address: string): string | undefined => {
    const key = lastKeys.get(address)
    return key === undefined || keys.has(key) ? undefined : key
  }
  return connections.map(connection => {
    const { id, key, isDirect, known } = connection
    const { address = '', name = known.name } = listed.get(id) ?? {}
    const machine = key ?? lastKeyAt(address) ?? id
    const isNetworkUp = isDirect || isRelayOpen
    const inputs = silentInputs(address)
    const { connection: seen, client: before, ownNames: namesBefore } = watched.get(connection.ref) ?? {}
    if (
      seen === connection &&
      namesBefore === ownNames &&
      before?.machine === machine &&
      before.name === name &&
      before.isNetworkUp === isNetworkUp &&
      isSameValue(before.silentInputs, inputs)
    )
      return before
    const { data } = known.view
    const view = data === undefined ? known.view : { ...known.view, data: dataWithNames(data, ownNames, machine) }
    const client = { ...known, view, machine, name, owner: undefined, isNetworkUp, silentInputs: inputs }
    watched.set(connection.ref, { connection, client, ownNames })
    return client
  })
}

/** The clients that were last connected at addresses, by these. */
export function lastKeysOf(
  seen: readonly { readonly id: string; readonly address: string; readonly last_seen: number }[],
): ReadonlyMap<string, string> {
  return new Map(
    [...seen]
      .sort((one, other) => one.last_seen - other.last_seen)
      .flatMap(({ id, address }) => (id === address ? [] : [[address, id] as const])),
  )
}

/** Whether any group is told to fold; undefined when nothing is known. */
export function isSetToFold(data: ClientData | undefined): boolean | undefined {
  return data === undefined ? undefined : Object.values(groupsOf(data)).some(group => groupState(group) === 'fold')
}
