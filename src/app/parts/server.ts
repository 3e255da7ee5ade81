import { fromPromise } from 'xstate'
import { askAlerts, doAlertTask, type ServerAlertsDeps } from '../../actors/server/server-alerts.ts'
import { serverShared, type ServerSharedDeps } from '../../actors/server/server-shared.ts'
import { askServer, doServerTask, serverEvents } from '../../actors/server/server-session.ts'
import type { AlertsReply, AlertTask, AlertTaskResult } from '../../machines/server/alerts/server-alerts.events.ts'
import { serverAlertsMachine } from '../../machines/server/alerts/server-alerts.machine.ts'
import { scheduleEditorMachine } from '../../machines/server/schedule-editor/schedule-editor.machine.ts'
import type { SharedChange } from '../../folding/fleet/shared.ts'
import type { ChangeResult, SharedReply } from '../../machines/server/shared/shared.events.ts'
import { sharedMachine } from '../../machines/server/shared/shared.machine.ts'
import type { ServerAnswer, ServerTask, TaskResult } from '../../machines/server/session/session.events.ts'
import { sessionMachine } from '../../machines/server/session/session.machine.ts'

/** The machines of a page that a server of Foldboard serves, with their effects. */
export function serverMachines(deps: ServerAlertsDeps & ServerSharedDeps) {
  const shared = serverShared(deps)
  const session = { ...deps, openEvents: (url: string) => new EventSource(url) }
  return {
    serverSession: sessionMachine.provide({
      actors: {
        askServer: fromPromise<ServerAnswer, undefined>(() => askServer(session)),
        doTask: fromPromise<TaskResult, ServerTask>(({ input }) => doServerTask(session, input)),
        serverEvents: serverEvents(session),
      },
    }),
    serverShared: sharedMachine.provide({
      actors: {
        giveOwn: fromPromise<undefined, undefined>(() => shared.giveOwn()),
        readShared: fromPromise<SharedReply, undefined>(() => shared.read()),
        sendChange: fromPromise<ChangeResult, { readonly change: SharedChange | undefined }>(({ input }) =>
          shared.send(input.change),
        ),
      },
    }),
    scheduleEditor: scheduleEditorMachine,
    serverAlerts: serverAlertsMachine.provide({
      actors: {
        askAlerts: fromPromise<AlertsReply, undefined>(() => askAlerts(deps)),
        doAlertTask: fromPromise<AlertTaskResult, AlertTask>(({ input }) => doAlertTask(deps, input)),
      },
    }),
  }
}
