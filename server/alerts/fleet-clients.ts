import type { WatchDeps } from '../../src/actors/incidents/watcher.ts'
import type { SilentInput } from '../../src/folding/schedule/conditions.ts'
import { groupsOf, groupState } from '../../src/folding/client/group.ts'
import { selectView } from '../../src/machines/connection/client/client.selectors.ts'
import {
  selectClientRef,
  selectClientKeyOf,
  selectReport,
  selectShownIds,
} from '../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import type { FleetSnapshot } from '../machines/server/server.selectors.ts'

/**
 * The clients as the rules of incidents take them. `names`: as they are shown, and `silentInputs`: what their schedules wait for,
 * by ids of connections. `isRelayOpen`: whether clients of the account are meant to be connected now.
 */
export const watchedClients = (
  snapshot: FleetSnapshot,
  names: ReadonlyMap<string, string>,
  silentInputs: (id: string) => readonly SilentInput[],
  isRelayOpen: boolean,
): ReturnType<WatchDeps['readClients']> => {
  return selectShownIds('usual')(snapshot).flatMap(id => {
    const ref = selectClientRef(id)(snapshot)
    const report = selectReport(id)(snapshot)
    if (ref === undefined || report === undefined) return []
    const client = ref.getSnapshot()
    const { kind, connectedAt, lostAt, isRestored } = client.context
    return {
      machine: selectClientKeyOf(id)(snapshot) ?? id,
      name: names.get(id) ?? report.name,
      owner: undefined,
      view: selectView(client),
      connectedAt,
      lostAt,
      isRestored,
      isNetworkUp: kind === 'direct' || isRelayOpen,
      silentInputs: silentInputs(id),
    }
  })
}

/** Whether any group is told to fold; undefined when nothing is known. */
export const isSetToFold = (data: ClientData | undefined): boolean | undefined =>
  data === undefined ? undefined : Object.values(groupsOf(data)).some(group => groupState(group) === 'fold')
