import { useMemo, useSyncExternalStore } from 'react'
import type { AnyActorRef } from 'xstate'
import { createWatch, type Moment, type Watch } from './watch/watch.ts'

const now = (): number => Date.now()

const later = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Of whichever system is shown. */
export const useWatch = (root: AnyActorRef): Watch => useMemo(() => createWatch({ root, now, later }), [root])

/** What there is to see; looks on as long as it is used. */
export const useMoment = (watch: Watch): Moment => useSyncExternalStore(watch.subscribe, watch.moment)
