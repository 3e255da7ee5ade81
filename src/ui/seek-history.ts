import type { RouterState } from 'react-router-dom'
import type { System } from '../machines/app/system.types.ts'

const isOfHistory = ({ location, navigation }: Pick<RouterState, 'location' | 'navigation'>): boolean =>
  (navigation.location ?? location).pathname === '/wus'

/** The history is read from the disk while the screen that shows it is still being made. */
export const seekHistory =
  (shown: () => System) =>
  (state: Pick<RouterState, 'location' | 'navigation'>): void => {
    const { history } = shown()
    if (isOfHistory(state) && history.getSnapshot().can({ type: 'history.open' })) history.send({ type: 'history.open' })
  }
