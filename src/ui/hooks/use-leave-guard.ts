import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
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
export const useLeaveGuard = (draft: Leavable, isModified: boolean, isInside: (path: string) => boolean): void => {
  const blocker = useBlocker(({ nextLocation }) => isModified && !isInside(nextLocation.pathname))
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => {
    const left = draft.on('draft.left', () => blocker.proceed?.())
    const stayed = draft.on('draft.stayed', () => blocker.reset?.())
    return () => {
      left.unsubscribe()
      stayed.unsubscribe()
    }
  }, [draft, blocker])
  // After the subscription above: a draft that was saved or restored meanwhile is left at once, without a question.
  useEffect(() => {
    if (isBlocked) draft.send({ type: 'draft.leave' })
  }, [draft, isBlocked])
  useEffect(() => {
    if (!isModified) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isModified])
}
