import { bringActors } from '../../machines/app/app.actors.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import { clientSettingsMachine } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../machines/connection/client/client.machine.ts'
import { fleetMachine } from '../../machines/connection/fleet/fleet.machine.ts'
import { lateMachines } from '../../machines/app/late-machines.ts'

const client = clientMachine.provide({ actors: { settings: clientSettingsMachine } })

/** The app with all its machines: for replays, and to compare recordings with. */
export const completeApp = appMachine.provide({ actors: { fleet: fleetMachine.provide({ actors: { client } }) } })
bringActors(completeApp, lateMachines)
