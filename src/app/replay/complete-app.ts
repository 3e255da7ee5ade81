import { accountMachine } from '../../machines/account/account/account.machine.ts'
import { resetMachine } from '../../machines/account/reset/reset.machine.ts'
import { signInMachine } from '../../machines/account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../../machines/account/verify/verify.machine.ts'
import { appMachine } from '../../machines/app/app/app.machine.ts'
import { broadcastMachine } from '../../machines/connection/broadcast/broadcast.machine.ts'
import { connectionCheckMachine } from '../../machines/connection/check/connection-check.machine.ts'
import { clientSettingsMachine } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../machines/connection/client/client.machine.ts'
import { fleetMachine } from '../../machines/connection/fleet/fleet.machine.ts'
import { relayMachine } from '../../machines/connection/relay/relay.machine.ts'
import { bulkMachine } from '../../machines/fleet/bulk/bulk.machine.ts'
import { incidentsMachine } from '../../machines/incidents/incidents/incidents.machine.ts'
import { seriesMachine } from '../../machines/resource/series/series.machine.ts'
import { connectMachine } from '../../machines/screens/connect/connect.machine.ts'
import { directClientsMachine } from '../../machines/screens/direct-clients/direct-clients.machine.ts'
import { logMachine } from '../../machines/screens/log/log.machine.ts'
import { viewerMachine } from '../../machines/screens/viewer/viewer.machine.ts'
import { deferred, loadedGroup } from '../../machines/shared/deferred-logic.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'
import { deferrals, type DeferredName } from '../deferred/modules.ts'

/** The deferred machines, without effects. */
export const deferredMachines = {
  account: accountMachine,
  broadcaster: broadcastMachine,
  bulk: bulkMachine,
  connect: connectMachine,
  connectionCheck: connectionCheckMachine,
  directClients: directClientsMachine,
  history: historyMachine,
  incidents: incidentsMachine,
  log: logMachine,
  relay: relayMachine,
  reset: resetMachine,
  series: seriesMachine,
  signIn: signInMachine,
  verify: verifyMachine,
  viewer: viewerMachine,
} satisfies Record<DeferredName, object>

const before = deferrals(false)
const code = loadedGroup(deferredMachines)
const own = <Name extends DeferredName>(name: Name) => deferred(code, name, before[name])
const settings = deferred(loadedGroup({ settings: clientSettingsMachine }), 'settings', { isNeeded: true })

/** The app with all its machines: for replays, and to compare recordings with. */
export const completeApp = appMachine.provide({
  actors: {
    account: own('account'),
    broadcaster: own('broadcaster'),
    bulk: own('bulk'),
    connect: own('connect'),
    connectionCheck: own('connectionCheck'),
    directClients: own('directClients'),
    history: own('history'),
    incidents: own('incidents'),
    log: own('log'),
    relay: own('relay'),
    reset: own('reset'),
    series: own('series'),
    signIn: own('signIn'),
    verify: own('verify'),
    viewer: own('viewer'),
    fleet: fleetMachine.provide({ actors: { client: clientMachine.provide({ actors: { settings } }) } }),
  },
})
