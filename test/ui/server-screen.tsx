import type { ReactNode } from 'react'
import { createActor, fromCallback, fromPromise, type ActorRefFrom } from 'xstate'
import type { ServerAnswer, ServerTask, TaskResult } from '../../src/machines/server/session/session.events.ts'
import { sessionMachine } from '../../src/machines/server/session/session.machine.ts'
import { ServerContext } from '../../src/ui/hooks/server-context.ts'
import { renderScreen, startTestSystem } from './test-system.tsx'

/** Shows a screen of a page that a server serves, which answers so; its tasks do not end. */
export function renderServerScreen(answer: ServerAnswer, screen: ReactNode): ActorRefFrom<typeof sessionMachine> {
  const session = createActor(
    sessionMachine.provide({
      actors: {
        askServer: fromPromise<ServerAnswer, undefined>(() => Promise.resolve(answer)),
        doTask: fromPromise<TaskResult, ServerTask>(() => new Promise(() => undefined)),
        serverEvents: fromCallback(() => undefined),
      },
    }),
  ).start()
  session.send({ type: 'session.begin' })
  const testSystem = startTestSystem()
  const { scheduleEditor: editor, serverAlerts: alerts } = testSystem.system
  renderScreen(testSystem, <ServerContext value={{ session, editor, alerts }}>{screen}</ServerContext>)
  return session
}
