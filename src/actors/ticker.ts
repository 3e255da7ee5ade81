import type { ClockEvent } from '../machines/app/clock/clock.events.ts'
import { factActor } from './fact-actor.ts'
import { CLOCK_TICK } from './pacing.ts'

export type TickerDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly now: () => number
}

/** Reports the time every `CLOCK_TICK` while the page is visible, and at once when it becomes visible. */
export const ticker = ({ document, now }: TickerDeps) =>
  factActor<{ type: 'none' }, undefined, ClockEvent>(({ report }) => {
    let timer: ReturnType<typeof setInterval> | undefined
    const tick = (): void => report({ type: 'clock.ticked', at: now() })
    const restart = (): void => {
      clearInterval(timer)
      timer = undefined
      if (document.visibilityState === 'hidden') return
      tick()
      timer = setInterval(tick, CLOCK_TICK)
    }
    restart()
    document.addEventListener('visibilitychange', restart)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', restart)
    }
  })
