import type { ClockEvent } from '../../machines/app/clock/clock.events.ts'
import { factActor } from '../fact-actor.ts'
import { FIGURES_GRACE, untilNextSecond } from '../pacing.ts'
import type { Wire } from '../wire/wire.ts'

export type TickerDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly now: () => number
  readonly wire: Pick<Wire, 'onFigures'>
}

/** Reports the time once a second while the page is visible, right after the figures of the second, and when it becomes visible. */
export function ticker({ document, now, wire }: TickerDeps) {
  return factActor<{ type: 'none' }, undefined, ClockEvent>(({ report }) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') return
      report({ type: 'clock.ticked', at: now() })
      timer = setTimeout(tick, untilNextSecond(now()) + FIGURES_GRACE)
    }
    tick()
    const unfollow = wire.onFigures(tick)
    document.addEventListener('visibilitychange', tick)
    return () => {
      unfollow()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  })
}
