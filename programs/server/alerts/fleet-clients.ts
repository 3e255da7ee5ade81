import type { WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import type { SilentInput } from '../../../src/folding/schedule/conditions.ts'
import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { selectConnections } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { FleetSnapshot } from '../machines/server/server.selectors.ts'

/**
 * The clients as the rules of incidents take them. `names`: as they are shown, `lastKeys`: what was last connected there, and
 * `silentInputs`: what their schedules wait for, by ids of connections. `isRelayOpen`: whether clients of the account are meant to
 * be connected now.
 */
export function watchedClients(
  snapshot: FleetSnapshot,
  names: ReadonlyMap<string, string>,
  lastKeys: ReadonlyMap<string, string>,
  silentInputs: (id: string) => readonly SilentInput[],
  isRelayOpen: boolean,
): ReturnType<WatchDeps['readClients']> {
  const connections = selectConnections(snapshot)
  const keys = new Set(connections.map(({ key }) => key))
  /** One that was not connected yet is who it was, unless that one is elsewhere now. */
  const lastKeyOf = (id: string): string | undefined => {
    const key = lastKeys.get(id)
    return keys.has(key) ? undefined : key
  }
  return connections.map(({ id, key, isDirect, known }) => ({
    ...known,
    machine: key ?? lastKeyOf(id) ?? id,
    name: names.get(id) ?? known.name,
    owner: undefined,
    isNetworkUp: isDirect || isRelayOpen,
    silentInputs: silentInputs(id),
  }))
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
