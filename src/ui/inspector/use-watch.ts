import { useMemo, useSyncExternalStore } from 'react'
import type { AnyActorRef } from 'xstate'
import { createWatch, type WatchSnapshot, type Watch } from './watch/watch.ts'

const now = (): number => Date.now()

const later = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export const startWatch = (root: AnyActorRef): Watch => createWatch({ root, now, later })

export const useWatch = (root: AnyActorRef): Watch => useMemo(() => startWatch(root), [root])

/** Observes the system while the component is mounted. */
export const useWatchSnapshot = (watch: Watch): WatchSnapshot => useSyncExternalStore(watch.subscribe, watch.snapshot)
