import { useEffect, useEffectEvent } from 'react'
import { useSystem } from '../../hooks/system-context.ts'
import { isTaken, meaningOf } from './keys.ts'
import type { Stage } from './stage.ts'

/** The keys of docs/product.md §2, wherever on the screen the focus is. */
export const useViewerKeys = (stage: Stage | undefined): void => {
  const { viewer } = useSystem()
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const meaning = meaningOf(event)
    if (meaning === undefined || event.defaultPrevented || isTaken(event, event.target)) return
    event.preventDefault()
    if (meaning === 'fit') stage?.fit()
    else if ('zoom' in meaning) stage?.zoom(meaning.zoom)
    else viewer.send(meaning.send)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => hear(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
