import { LONGEST_FRAME } from '../pacing.ts'
import type { Frames } from './hub.types.ts'

type Page = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout' | 'performance'
>

/** Animation frames of a page, with a timer in case the page is hidden while it waits for one. */
export function pageFrames(page: Page, document: Pick<Document, 'hidden'>): Frames {
  return {
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
  }
}
