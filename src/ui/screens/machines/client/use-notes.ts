import { useEffect } from 'react'
import type { ProcessorNote } from '../../../../folding/client/processor-notes.ts'
import { isPartThere } from '../../../../machines/app/app.selectors.ts'
import { selectClientKey } from '../../../../machines/connection/client/client.selectors.ts'
import { selectNotes } from '../../../../machines/fleet/processors/processors.selectors.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useSelector } from '../../../hooks/use-selector.ts'

/**
 * What is noted of the client's processors. `isKnown`: whether what this browser keeps has been read. `isWatched`: whether the server
 * pauses one that finishes.
 */
export function useNotes(): {
  readonly notes: readonly ProcessorNote[]
  readonly isKnown: boolean
  readonly isWatched: boolean
} {
  const { app, processors } = useSystem()
  const notes = useSelector(processors, selectNotes(useClientSelector(selectClientKey)))
  const isKnown = useSelector(app, isPartThere('bulk'))
  const isServed = useSelector(processors, ({ context }) => context.isServed)
  const isWatched = useClientSelector(({ context }) => context.limit !== undefined) && isServed
  return { notes, isKnown, isWatched }
}

/** Has the notes read at once where a processor is off: only they tell whether it is paused. */
export function useWantedNotes(isOff: boolean): void {
  const { app } = useSystem()
  const isKnown = useSelector(app, isPartThere('bulk'))
  useEffect(() => {
    if (isOff && !isKnown) app.send({ type: 'app.want', part: 'bulk' })
  }, [app, isOff, isKnown])
}
