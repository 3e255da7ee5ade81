import { accountMachine } from '../../account/account/account.machine.ts'
import { resetMachine } from '../../account/reset/reset.machine.ts'
import { signInMachine } from '../../account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../../account/verify/verify.machine.ts'
import { broadcastMachine } from '../../connection/broadcast/broadcast.machine.ts'
import { connectionCheckMachine } from '../../connection/check/connection-check.machine.ts'
import { clientSettingsMachine } from '../../connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../connection/client/client.machine.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import { relayMachine } from '../../connection/relay/relay.machine.ts'
import { seriesMachine } from '../../resource/series/series.machine.ts'
import { directClientsMachine } from '../../screens/direct-clients/direct-clients.machine.ts'
import { logMachine } from '../../screens/log/log.machine.ts'
import { viewerMachine } from '../../screens/viewer/viewer.machine.ts'
import { historyMachine } from '../../units/history/history.machine.ts'
import { appMachine } from './app.machine.ts'

/** The logic of every deferred actor. Never in the first chunk. */
export const deferredMachines = {
  account: accountMachine,
  broadcaster: broadcastMachine,
  connectionCheck: connectionCheckMachine,
  directClients: directClientsMachine,
  history: historyMachine,
  log: logMachine,
  relay: relayMachine,
  reset: resetMachine,
  series: seriesMachine,
  signIn: signInMachine,
  verify: verifyMachine,
  viewer: viewerMachine,
}

/** A client machine with the settings that are loaded on demand. */
export const completeClientMachine = clientMachine.provide({ actors: { settings: clientSettingsMachine } })

/** The app with the machines that are loaded on demand: for recordings, which may need any of them at once. */
export const completeAppMachine = appMachine.provide({
  actors: { ...deferredMachines, fleet: fleetMachine.provide({ actors: { client: completeClientMachine } }) },
})
