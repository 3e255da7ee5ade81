/** Milliseconds without input after which a page is quiet. */
const QUIET_FOR = 2000
/** Milliseconds after which what waits runs in any case. */
const LONGEST_WAIT = 30_000
const INPUTS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const

type QuietDeps = {
  readonly window: Pick<Window, 'addEventListener' | 'setTimeout'>
  /** Milliseconds. */
  readonly now: () => number
  /** Calls back when the browser has nothing else to do. */
  readonly whenIdle: (run: () => void) => void
}

/** Runs what is not urgent when the user has typed, pressed and scrolled nothing for a while, and the browser is idle. */
export function createWhenQuiet({ window, now, whenIdle }: QuietDeps): (run: () => void) => void {
  let inputAt = Number.NEGATIVE_INFINITY
  for (const type of INPUTS) window.addEventListener(type, () => (inputAt = now()), { capture: true, passive: true })
  return run => {
    const deadline = now() + LONGEST_WAIT
    const tryToRun = (): void => {
      const wait = Math.min(inputAt + QUIET_FOR, deadline) - now()
      if (wait > 0) window.setTimeout(tryToRun, wait)
      else whenIdle(run)
    }
    tryToRun()
  }
}
