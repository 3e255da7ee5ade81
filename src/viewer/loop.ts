/*
 * The render loop: draws once after each change, then refines the picture while nothing changes, and then rests. It stops
 * in a hidden tab.
 */

type LoopTasks = {
  /** Draws a changed picture. `ms` since the previous one, if that was in the last animation frame. */
  readonly move: (ms: number | undefined) => void
  /** Refines the picture; returns whether it can be refined further. */
  readonly refine: () => boolean
  readonly rest: () => void
}

/** Milliseconds without a change before the picture is refined. */
const QUIET = 120

type Step = 'rest' | 'move' | 'wait' | 'refine'

export function createLoop({ move, refine, rest }: LoopTasks) {
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
      // The next step is chosen one frame later, so that this picture's time can be measured.
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
    /** Requests a new picture. */
    change: (): void => {
      step = 'move'
      clearTimeout(timer)
      timer = undefined
      schedule()
    },
    /** Whether nothing is drawn until the next change. */
    isAtRest: () => step === 'rest',
    dispose: (): void => {
      stop()
      step = 'rest'
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}
