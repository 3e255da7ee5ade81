import type { ViewerFact } from '../machines/screens/viewer/viewer.events.ts'
import { factActor } from './fact-actor.ts'

export type FrameTickerDeps = { readonly window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'> }

/** After a pause, such as that of a hidden page, things go on from where they were. */
const LONGEST = 100

/** Reports each frame that the screen is about to draw. A hidden page draws none. */
export const frameTicker = ({ window }: FrameTickerDeps) =>
  factActor<{ type: 'none' }, undefined, ViewerFact>(({ report }) => {
    let last: number | undefined
    let request = window.requestAnimationFrame(function tick(at) {
      request = window.requestAnimationFrame(tick)
      if (last !== undefined && at > last) report({ type: 'viewer.ticked', elapsed: Math.min(LONGEST, at - last) })
      last = at
    })
    return () => window.cancelAnimationFrame(request)
  })
