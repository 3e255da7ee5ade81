import { accountMachine } from '../account/account/account.machine.ts'
import { resetMachine } from '../account/reset/reset.machine.ts'
import { signInMachine } from '../account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../account/verify/verify.machine.ts'
import { broadcastMachine } from '../connection/broadcast/broadcast.machine.ts'
import { connectionCheckMachine } from '../connection/check/connection-check.machine.ts'
import { relayMachine } from '../connection/relay/relay.machine.ts'
import { bulkMachine } from '../fleet/bulk/bulk.machine.ts'
import { incidentsMachine } from '../incidents/incidents/incidents.machine.ts'
import { seriesMachine } from '../resource/series/series.machine.ts'
import { connectMachine } from '../screens/connect/connect.machine.ts'
import { directClientsMachine } from '../screens/direct-clients/direct-clients.machine.ts'
import { logMachine } from '../screens/log/log.machine.ts'
import { viewerMachine } from '../screens/viewer/viewer.machine.ts'
import { scheduleEditorMachine } from '../server/schedule-editor/schedule-editor.machine.ts'
import { serverAlertsMachine } from '../server/alerts/server-alerts.machine.ts'
import { sharedMachine } from '../server/shared/shared.machine.ts'
import { sessionMachine } from '../server/session/session.machine.ts'
import { historyMachine } from '../units/history/history.machine.ts'

/** The machines that the app loads when they are needed, without effects. Not part of the first chunk. */
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
  scheduleEditor: scheduleEditorMachine,
  serverAlerts: serverAlertsMachine,
  serverSession: sessionMachine,
  serverShared: sharedMachine,
  signIn: signInMachine,
  verify: verifyMachine,
  viewer: viewerMachine,
}
