import type { ViewerFact } from '../machines/screens/viewer/viewer.events.ts'
import { factActor } from './fact-actor.ts'

export type FramePacerDeps = { readonly window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'> }

/** After a pause, such as that of a hidden page, things go on from where they were. In milliseconds. */
const LONGEST = 100

/**
 * Reports when a frame of a trajectory has been shown long enough, `every` milliseconds. Only what is drawn counts: a
 * hidden page draws nothing, and a slow one shows all frames, more slowly.
 */
export const framePacer = ({ window }: FramePacerDeps) =>
  factActor<{ type: 'none' }, { readonly every: number }, ViewerFact>(({ input: { every }, report }) => {
    let last: number | undefined
    let shown = 0
    let request = window.requestAnimationFrame(function tick(at) {
      request = window.requestAnimationFrame(tick)
      if (last !== undefined) shown += Math.min(LONGEST, Math.max(0, at - last))
      last = at
      if (shown < every) return
      shown -= every
      report({ type: 'viewer.frameElapsed' })
    })
    return () => window.cancelAnimationFrame(request)
  })
