import type { ViewerFact } from '../../machines/screens/viewer/viewer.events.ts'
import { factActor } from '../fact-actor.ts'

export type FramePacerDeps = { readonly window: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'> }

/** Milliseconds that one animation frame counts for at most: after a pause playback resumes where it stopped. */
const LONGEST_STEP = 100

/**
 * Reports when a frame of a trajectory has been shown for `every` milliseconds. Time is counted by animation frames: a
 * hidden page stands still, and a slow one shows all frames, more slowly.
 */
export function framePacer({ window }: FramePacerDeps) {
  return factActor<{ type: 'none' }, { readonly every: number }, ViewerFact>(({ input: { every }, report }) => {
    let last: number | undefined
    let shown = 0
    let request = window.requestAnimationFrame(function tick(at) {
      request = window.requestAnimationFrame(tick)
      if (last !== undefined) shown += Math.min(LONGEST_STEP, Math.max(0, at - last))
      last = at
      if (shown < every) return
      shown -= every
      report({ type: 'viewer.frameElapsed' })
    })
    return () => window.cancelAnimationFrame(request)
  })
}
