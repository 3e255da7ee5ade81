import { fromPromise } from 'xstate'
import {
  incidentStoreActor,
  openOnce,
  readMemories,
  writeMemories,
  type OpenIncidents,
} from '../../actors/incidents/incident-store.ts'
import { incidentWatch } from '../../actors/incidents/incident-watch.ts'
import { askPermission, notifier, type NotifierDeps } from '../../actors/incidents/notifier.ts'
import type { TabsDeps } from '../../actors/browser/tabs.ts'
import type { WatchDeps, WatchedClient } from '../../actors/incidents/watcher.ts'
import { earlierTpfs, lastEnds } from '../../folding/incidents/earlier-speeds.ts'
import { selectAccount, selectAccountId } from '../../machines/account/account/account.selectors.ts'
import { isOnline } from '../../machines/app/app.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { selectConnections } from '../../machines/connection/fleet/fleet.selectors.ts'
import { selectRelayCondition } from '../../machines/connection/relay/relay.selectors.ts'
import { incidentsMachine } from '../../machines/incidents/incidents/incidents.machine.ts'
import type { NotificationPermissionState } from '../../machines/incidents/incidents/incidents.events.ts'

export type IncidentDeps = Omit<NotifierDeps, 'now'> & {
  readonly open: OpenIncidents
  /** Undefined where tabs cannot exchange messages. */
  readonly openChannel: TabsDeps['openChannel']
  /** The running system; it exists when the first client is read. */
  readonly system: () => System
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
}

/** The machine of incidents with its effects. */
export function incidentMachines({ open, openChannel, system, now, ...deps }: IncidentDeps) {
  const database = openOnce(open)
  const watchDeps: WatchDeps = {
    readClients: () => watchedClients(system()),
    readSurroundings: () => {
      const { fleet, account } = system()
      const snapshot = account.getSnapshot()
      const ownAccount = selectAccount(snapshot)
      return {
        latestVersion: fleet.getSnapshot().context.environment.latestVersion,
        account: ownAccount && { id: selectAccountId(snapshot), user: ownAccount.user, team: ownAccount.team },
      }
    },
    earlierTpfs: (client, key) => earlierTpfs(system().history.getSnapshot().context.history, client, key),
    // Only of a group whose units fail: then the history, which nobody may have opened, tells why.
    endsOf: (client, group) => {
      const { history } = system()
      history.send({ type: 'history.open' })
      return lastEnds(history.getSnapshot().context.history, client, group)
    },
    readMemories: () => readMemories(database),
    writeMemories: memories => writeMemories(database, memories),
    now,
    elapsed: () => performance.now(),
  }
  return {
    incidents: incidentsMachine.provide({
      actors: {
        incidentStore: incidentStoreActor(database, openChannel),
        incidentWatch: incidentWatch(watchDeps),
        notifier: notifier({ ...deps, now }),
        askPermission: fromPromise<NotificationPermissionState, undefined>(() => askPermission(deps)),
      },
    }),
  }
}

/** The clients that are shown. */
export function watchedClients({ app, fleet, relay, account }: System): readonly WatchedClient[] {
  const hasNetwork = isOnline(app.getSnapshot())
  const hasRelay = selectRelayCondition(relay.getSnapshot()) === 'connected'
  const owner = selectAccountId(account.getSnapshot())
  return selectConnections(fleet.getSnapshot()).map(({ id, key, isDirect, isConnected, known }) => ({
    ...known,
    machine: key ?? id,
    owner: isDirect ? undefined : owner,
    // A browser that says offline may still reach some.
    isNetworkUp: (hasNetwork || isConnected) && (isDirect || hasRelay),
  }))
}
