import { connectionCheckMachine } from '../connection/check/connection-check.machine.ts'
import { bulkMachine } from '../fleet/bulk/bulk.machine.ts'
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
import type { LateActors } from './app/app.actors.ts'

/** The machines of `lateActors`, without effects: for replays and tests. */
export const lateMachines: LateActors = {
  bulk: bulkMachine,
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
