import { deferredMachines } from '../../machines/app/deferred-machines.ts'
import { appMachine } from '../../machines/app/app/app.machine.ts'
import { clientSettingsMachine } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../machines/connection/client/client.machine.ts'
import { fleetMachine } from '../../machines/connection/fleet/fleet.machine.ts'
import { deferred, loadedGroup } from '../../machines/shared/deferred-logic.ts'
import { deferrals, type DeferredName } from '../deferred/modules.ts'

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
    scheduleEditor: own('scheduleEditor'),
    serverAlerts: own('serverAlerts'),
    serverSession: own('serverSession'),
    serverShared: own('serverShared'),
    signIn: own('signIn'),
    verify: own('verify'),
    viewer: own('viewer'),
    fleet: fleetMachine.provide({ actors: { client: clientMachine.provide({ actors: { settings } }) } }),
  },
})
