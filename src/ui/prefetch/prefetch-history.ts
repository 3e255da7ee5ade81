import type { System } from '../../machines/app/system.ts'
import type { Way } from './prefetch-code.ts'

/** The history is read from the disk before the screen that shows it is there: when a hand comes to what opens it, or while it is being made. */
export const seekHistory =
  (shown: () => System) =>
  ({ path }: Way): void => {
    const { history } = shown()
    if (path === '/wus' && history.getSnapshot().can({ type: 'history.open' })) history.send({ type: 'history.open' })
  }
