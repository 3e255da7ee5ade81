import { useEffect } from 'react'
import type { DraftEmitted } from '../../machines/shared/draft/draft.events.ts'
import { useNavigation } from '../navigation/navigation-context.tsx'

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
  const navigation = useNavigation()
  useEffect(
    () =>
      navigation?.setGuard({
        isBlocking: path => isModified && !isInside(path),
        ask: () => draft.send({ type: 'draft.leave' }),
      }),
    [navigation, draft, isModified, isInside],
  )
  useEffect(() => {
    const left = draft.on('draft.left', () => navigation?.answer(true))
    const stayed = draft.on('draft.stayed', () => navigation?.answer(false))
    return () => {
      left.unsubscribe()
      stayed.unsubscribe()
      navigation?.answer(false)
    }
  }, [navigation, draft])
  useEffect(() => {
    if (!isModified) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isModified])
}
