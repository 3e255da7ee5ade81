import { useMemo, useSyncExternalStore } from 'react'
import type { AnyActorRef } from 'xstate'
import { createWatch, type WatchSnapshot, type Watch } from './watch/watch.ts'

function now(): number {
  return Date.now()
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export function startWatch(root: AnyActorRef): Watch {
  return createWatch({ root, now, later })
}

export function useWatch(root: AnyActorRef): Watch {
  return useMemo(() => startWatch(root), [root])
}

/** Observes the system while the component is mounted. */
export function useWatchSnapshot(watch: Watch): WatchSnapshot {
  return useSyncExternalStore(watch.subscribe, watch.snapshot)
}
