import type { PageFact } from '../../machines/app/app.events.ts'
import { factActor } from '../fact-actor.ts'

export type PageDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setInterval' | 'clearInterval'> & {
    readonly navigator: Pick<Navigator, 'onLine'>
  }
  readonly now: () => number
}

/** Milliseconds. */
const HEARTBEAT = 2000
/** Milliseconds. A later heartbeat means that the computer slept; timers of hidden pages are at most a minute late. */
const SLEEP_GAP = 90_000

/** Reports visibility, network and sleep. */
export function page({ document, window, now }: PageDeps) {
  return factActor<{ type: 'none' }, undefined, PageFact>(({ report }) => {
    let lastBeat = now()
    const beat = (): void => {
      const at = now()
      // A clock that was set back may hide a sleep.
      if (at - lastBeat > SLEEP_GAP || at < lastBeat) report({ type: 'page.woke', at })
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
    if (!window.navigator.onLine) offline()
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', visibilityChanged)
      window.removeEventListener('online', online)
      window.removeEventListener('offline', offline)
    }
  })
}
