import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import type { DraftEmitted } from '../../machines/shared/draft/draft.events.ts'

/** What is needed of a draft to hold the ways out: any draft has it. */
type Leavable = {
  readonly send: (event: { readonly type: 'draft.leave' }) => void
  readonly on: (type: DraftEmitted['type'], handler: () => void) => { readonly unsubscribe: () => void }
}

/**
 * Every way out of `isInside` asks first while there are unsaved changes: the menu and the back button through the
 * draft, which asks and says what came of it; the address bar and the closing tab through the browser.
 */
export const useLeaveGuard = (draft: Leavable, isModified: boolean, isInside: (path: string) => boolean): void => {
  const blocker = useBlocker(({ nextLocation }) => isModified && !isInside(nextLocation.pathname))
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => {
    if (isBlocked) draft.send({ type: 'draft.leave' })
  }, [draft, isBlocked])
  useEffect(() => {
    const left = draft.on('draft.left', () => blocker.proceed?.())
    const stayed = draft.on('draft.stayed', () => blocker.reset?.())
    return () => {
      left.unsubscribe()
      stayed.unsubscribe()
    }
  }, [draft, blocker])
  useEffect(() => {
    if (!isModified) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isModified])
}
