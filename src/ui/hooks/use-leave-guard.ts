import { useCallback, useEffect } from 'react'
import { useBlocker, type BlockerFunction } from 'react-router-dom'
import type { DraftEmitted } from '../../machines/shared/draft/draft.events.ts'

/** The part of a draft's interface that is used here. */
type Leavable = {
  readonly send: (event: { readonly type: 'draft.leave' }) => void
  readonly on: (type: DraftEmitted['type'], handler: () => void) => { readonly unsubscribe: () => void }
}

/**
 * Blocks navigation away from `isInside` while there are unsaved changes. Navigation within the app is resolved by the
 * draft, which asks the user; reloading and closing the tab by the browser's own prompt.
 */
export function useLeaveGuard(draft: Leavable, isModified: boolean, isInside: (path: string) => boolean): void {
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      ({ nextLocation }) => isModified && !isInside(nextLocation.pathname),
      [isModified, isInside],
    ),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const left = draft.on('draft.left', blocker.proceed)
    const stayed = draft.on('draft.stayed', blocker.reset)
    draft.send({ type: 'draft.leave' })
    return () => {
      left.unsubscribe()
      stayed.unsubscribe()
    }
  }, [blocker, draft])
  useWarningBeforeLeaving(isModified)
}

/** Has the browser ask before the page is reloaded or closed. */
export function useWarningBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isNeeded])
}
