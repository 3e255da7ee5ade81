/*
 * When a picture is drawn: once after each change, then finer and finer while nothing changes, and then not at all.
 * Nothing is drawn in a hidden tab.
 */

export type Loop = {
  /** Something looks different now. */
  readonly change: () => void
  /** Whether nothing more is to be drawn until the next change. */
  readonly isAtRest: () => boolean
  readonly dispose: () => void
}

export type LoopTasks = {
  /** Draws what changed. `ms`: since the picture before, when that was in the browser's last frame. */
  readonly move: (ms: number | undefined) => void
  /** Draws the same more finely; says whether there is more to gain. */
  readonly refine: () => boolean
  readonly rest: () => void
}

/** Milliseconds without a change before the picture is refined. */
const QUIET = 120

type Step = 'rest' | 'move' | 'wait' | 'refine'

export const createLoop = ({ move, refine, rest }: LoopTasks): Loop => {
  let step: Step = 'rest'
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let drawnAt: number | undefined

  const schedule = (): void => {
    if (frame === 0 && step !== 'rest' && !document.hidden) frame = requestAnimationFrame(run)
  }

  const run = (at: number): void => {
    frame = 0
    if (step === 'move') {
      // What is drawn next is decided one frame later: so the time that this picture took can be seen.
      step = 'wait'
      const ms = drawnAt === undefined ? undefined : at - drawnAt
      drawnAt = at
      move(ms)
      schedule()
      return
    }
    drawnAt = undefined
    if (step === 'wait') timer ??= setTimeout(settle, QUIET)
    else if (step === 'refine') {
      if (refine()) schedule()
      else {
        step = 'rest'
        rest()
      }
    }
  }

  const settle = (): void => {
    timer = undefined
    if (step !== 'wait') return
    step = 'refine'
    schedule()
  }

  const stop = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
    timer = undefined
    drawnAt = undefined
  }

  const onVisibility = (): void => {
    stop()
    schedule()
  }
  document.addEventListener('visibilitychange', onVisibility)

  return {
    change: () => {
      step = 'move'
      clearTimeout(timer)
      timer = undefined
      schedule()
    },
    isAtRest: () => step === 'rest',
    dispose: () => {
      stop()
      step = 'rest'
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}
