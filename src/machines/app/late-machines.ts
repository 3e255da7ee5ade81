import { accountMachine } from '../account/account/account.machine.ts'
import { resetMachine } from '../account/reset/reset.machine.ts'
import { signInMachine } from '../account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../account/verify/verify.machine.ts'
import { broadcastMachine } from '../connection/broadcast/broadcast.machine.ts'
import { relayMachine } from '../connection/relay/relay.machine.ts'
import { incidentsMachine } from '../incidents/incidents/incidents.machine.ts'
import { seriesMachine } from '../resource/series/series.machine.ts'
import { creditsMachine } from '../units/credits/credits.machine.ts'
import { historyMachine } from '../units/history/history.machine.ts'
import { connectionCheckMachine } from '../connection/check/connection-check.machine.ts'
import { bulkMachine } from '../fleet/bulk/bulk.machine.ts'
import { idleTimesMachine } from '../fleet/idle-times/idle-times.machine.ts'
import { processorsMachine } from '../fleet/processors/processors.machine.ts'
import { powerMachine } from '../fleet/power/power.machine.ts'
import { scheduleEditorMachine } from '../server/schedule-editor/schedule-editor.machine.ts'
import { serverAlertsMachine } from '../server/alerts/server-alerts.machine.ts'
import { sessionMachine } from '../server/session/session.machine.ts'
import { sharedMachine } from '../server/shared/shared.machine.ts'
import { connectMachine } from '../screens/connect/connect.machine.ts'
import { directClientsMachine } from '../screens/direct-clients/direct-clients.machine.ts'
import { logMachine } from '../screens/log/log.machine.ts'
import { moleculesMachine } from '../screens/molecules/molecules.machine.ts'
import { projectsMachine } from '../screens/projects/projects.machine.ts'
import { viewerMachine } from '../screens/viewer/viewer.machine.ts'
import { recordsMachine } from '../units/records/records.machine.ts'
import type { LateActors } from './app.actors.ts'

/** All machines of `LateActors`, without effects: for replays and tests. */
export const lateMachines: LateActors = {
  account: accountMachine,
  relay: relayMachine,
  broadcaster: broadcastMachine,
  signIn: signInMachine,
  verify: verifyMachine,
  reset: resetMachine,
  history: historyMachine,
  credits: creditsMachine,
  incidents: incidentsMachine,
  series: seriesMachine,
  bulk: bulkMachine,
  processors: processorsMachine,
  idleTimes: idleTimesMachine,
  connect: connectMachine,
  directClients: directClientsMachine,
  connectionCheck: connectionCheckMachine,
  log: logMachine,
  power: powerMachine,
  projects: projectsMachine,
  viewer: viewerMachine,
  molecules: moleculesMachine,
  records: recordsMachine,
  serverSession: sessionMachine,
  scheduleEditor: scheduleEditorMachine,
  serverAlerts: serverAlertsMachine,
  serverShared: sharedMachine,
}
