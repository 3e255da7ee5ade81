import { useMemo, useSyncExternalStore } from 'react'
import type { AnyActorRef } from 'xstate'
import { createWatch, type Moment, type Watch } from './watch/watch.ts'

const now = (): number => Date.now()

const later = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export const watchOn = (root: AnyActorRef): Watch => createWatch({ root, now, later })

/** Of whichever system is shown. */
export const useWatch = (root: AnyActorRef): Watch => useMemo(() => watchOn(root), [root])

/** What there is to see; looks on as long as it is used. */
export const useMoment = (watch: Watch): Moment => useSyncExternalStore(watch.subscribe, watch.moment)
