import { createActor, fromPromise } from 'xstate'
import { askServer, doServerTask, serverEvents } from '../actors/server-session.ts'
import { directId, type ClientLimit } from '../folding/machine/client.ts'
import type { System } from '../machines/app/system.ts'
import { scheduleEditorMachine } from '../machines/server/schedule-editor/schedule-editor.machine.ts'
import type { ServerAnswer, ServerTask, TaskResult } from '../machines/server/session/session.events.ts'
import { sessionMachine } from '../machines/server/session/session.machine.ts'
import { selectLimits } from '../machines/server/session/session.selectors.ts'
import type { PageServer } from '../ui/hooks/server-context.ts'

export type ServerPartDeps = {
  readonly system: System
  readonly fetch: typeof globalThis.fetch
  readonly window: Pick<Window, 'addEventListener'>
}

/** Starts what a page needs that a server serves: its session and schedules, and what it may send to each machine. */
export const startServerPart = ({ system, fetch, window }: ServerPartDeps): PageServer => {
  const deps = { fetch, openEvents: (url: string) => new EventSource(url) }
  const session = createActor(
    sessionMachine.provide({
      actors: {
        askServer: fromPromise<ServerAnswer, undefined>(() => askServer(deps)),
        doTask: fromPromise<TaskResult, ServerTask>(({ input }) => doServerTask(deps, input)),
        serverEvents: serverEvents(deps),
      },
    }),
    { systemId: 'serverSession' },
  )
  const editor = createActor(scheduleEditorMachine)

  let limits: ReadonlyMap<number, ClientLimit> = new Map()
  let told = new WeakMap<object, ClientLimit>()
  // A client that failed is replaced by another actor, which has to be told too.
  const tell = (): void => {
    const { members } = system.fleet.getSnapshot().context
    for (const [number, limit] of limits) {
      const ref = members[directId(number - 1)]?.ref
      if (ref === undefined || told.get(ref) === limit) continue
      told.set(ref, limit)
      ref.send({ type: 'client.limited', limit })
    }
  }
  let known: unknown
  session.subscribe(snapshot => {
    if (snapshot.context.session === known) return
    known = snapshot.context.session
    limits = selectLimits(snapshot)
    told = new WeakMap()
    tell()
  })
  let members: unknown
  const followFleet = (): void => {
    const current = system.fleet.getSnapshot().context.members
    if (current === members) return
    members = current
    tell()
  }
  let fleet: System['fleet'] | undefined
  const watchFleet = (): void => {
    if (fleet === system.fleet) return
    fleet = system.fleet
    fleet.subscribe(followFleet)
    followFleet()
  }
  system.app.subscribe(watchFleet)
  watchFleet()
  window.addEventListener('online', () => session.send({ type: 'session.check' }))
  window.addEventListener('focus', () => {
    // In another tab somebody may have signed in again.
    if (session.getSnapshot().hasTag('signedOut')) session.send({ type: 'session.check' })
  })
  session.start()
  editor.start()
  return { session, editor }
}
