import type { ClockEvent } from '../machines/app/clock/clock.events.ts'
import { factActor } from './fact-actor.ts'

export type TickerDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly now: () => number
}

/** docs/product.md §9: the clock ticks every 250 ms. */
const TICK = 250

/** Tells the time while the page can be seen, and once at the moment it is seen again. */
export const ticker = ({ document, now }: TickerDeps) =>
  factActor<{ type: 'none' }, undefined, ClockEvent>(({ report }) => {
    let timer: ReturnType<typeof setInterval> | undefined
    const tick = (): void => report({ type: 'clock.ticked', at: now() })
    const follow = (): void => {
      clearInterval(timer)
      timer = undefined
      if (document.visibilityState === 'hidden') return
      tick()
      timer = setInterval(tick, TICK)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  })
