import type { Frames } from './hub.types.ts'

const LONGEST_FRAME = 250

type Page = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout' | 'performance'
>

/** A page's frames. A page that is hidden while it waits for one paints none, so a timer stands by. */
export const pageFrames = (page: Page, document: Pick<Document, 'hidden'>): Frames => ({
  isHidden: () => document.hidden,
  now: () => page.performance.now(),
  requestFrame(run) {
    const frame = page.requestAnimationFrame(() => {
      page.clearTimeout(timer)
      run()
    })
    const timer = page.setTimeout(() => {
      page.cancelAnimationFrame(frame)
      run()
    }, LONGEST_FRAME)
  },
})
