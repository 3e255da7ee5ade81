import type { PageFact } from '../machines/app/app/app.events.ts'
import { factActor } from './fact-actor.ts'

export type PageDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setInterval' | 'clearInterval'>
  readonly now: () => number
}

const HEARTBEAT = 2000
/** A heartbeat this late means that the computer slept; a hidden page's timers are late by a minute at the most. */
const SLEPT = 90_000

/** Reports what the browser says of the page and the network. */
export const page = ({ document, window, now }: PageDeps) =>
  factActor<{ type: 'none' }, undefined, PageFact>(({ report }) => {
    let lastBeat = now()
    const beat = (): void => {
      const at = now()
      // A clock that was set back may have slept as well.
      if (at - lastBeat > SLEPT || at < lastBeat) report({ type: 'page.woke', at })
      lastBeat = at
    }
    const visibilityChanged = (): void => {
      beat()
      report({ type: document.visibilityState === 'hidden' ? 'page.hidden' : 'page.shown', at: now() })
    }
    const online = (): void => report({ type: 'network.regained', at: now() })
    const offline = (): void => report({ type: 'network.lost', at: now() })
    const timer = window.setInterval(beat, HEARTBEAT)
    document.addEventListener('visibilitychange', visibilityChanged)
    window.addEventListener('online', online)
    window.addEventListener('offline', offline)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', visibilityChanged)
      window.removeEventListener('online', online)
      window.removeEventListener('offline', offline)
    }
  })
