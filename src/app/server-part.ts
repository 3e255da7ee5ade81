import { directId, type ClientLimit } from '../folding/client/client.ts'
import type { System } from '../machines/app/system.ts'
import { selectLimits } from '../machines/server/session/session.selectors.ts'
import { isPartThere } from '../machines/app/app.selectors.ts'

export type ServerPartDeps = {
  readonly system: System
  readonly window: Pick<Window, 'addEventListener'>
}

/** Starts the session of a page that a server serves, and tells each client what this page may send to it. */
export function startServerPart({ system, window }: ServerPartDeps): void {
  let limits: ReadonlyMap<number, ClientLimit> = new Map()
  let reportedLimits = new WeakMap<object, ClientLimit>()
  // A client that failed is replaced by another actor, which has to be told too.
  const reportLimits = (): void => {
    const { members } = system.fleet.getSnapshot().context
    for (const [number, limit] of limits) {
      const ref = members[directId(number - 1)]?.ref
      if (ref === undefined || reportedLimits.get(ref) === limit) continue
      reportedLimits.set(ref, limit)
      ref.send({ type: 'client.limited', limit })
    }
  }
  let lastSession: unknown
  const followSession = (): void => {
    const snapshot = system.serverSession.getSnapshot()
    if (snapshot.context.session === lastSession) return
    lastSession = snapshot.context.session
    limits = selectLimits(snapshot)
    reportedLimits = new WeakMap()
    reportLimits()
    const { session } = snapshot.context
    if (session !== undefined)
      system.serverShared.send({
        type: 'shared.announced',
        revision: session.shared,
        mayChange: session.mayControl,
      })
  }
  let members: unknown
  const followFleet = (): void => {
    const current = system.fleet.getSnapshot().context.members
    if (current === members) return
    members = current
    reportLimits()
  }
  // Parts that failed are replaced by other actors.
  const watched: { fleet?: System['fleet']; session?: System['serverSession'] } = {}
  const watch = (): void => {
    if (watched.fleet !== system.fleet) {
      watched.fleet = system.fleet
      system.fleet.subscribe(followFleet)
      followFleet()
    }
    if (!isPartThere('server')(system.app.getSnapshot()) || watched.session === system.serverSession) return
    watched.session = system.serverSession
    system.serverSession.subscribe(followSession)
    system.serverSession.send({ type: 'session.begin' })
    followSession()
  }
  system.app.subscribe(watch)
  watch()
  const want = (): void => system.app.send({ type: 'app.want', part: 'server' })
  want()
  window.addEventListener('online', () => {
    want()
    watched.session?.send({ type: 'session.check' })
  })
  window.addEventListener('focus', () => {
    // The user may have signed in again in another tab.
    if (watched.session?.getSnapshot().hasTag('signedOut') === true) watched.session.send({ type: 'session.check' })
  })
}
