import { useCallback, type RefCallback } from 'react'
import { useSystem } from '../../../hooks/system-context.ts'
import { momentOf, useClient } from '../client-context.ts'
import { unitBoardOf } from './unit-subscriptions.ts'
import { createUnitReader, type Derive, type Primitive } from './unit-reader.ts'

/**
 * Shows a value of one unit by writing it into its element. It may change sixty times a second, and rendering costs
 * ten times as much as writing. React renders the element once and leaves what is in it alone. `derive` and `write`
 * must be the same functions from one rendering to the next.
 */
export const useUnitWriter = <E extends HTMLElement, T extends Primitive>(
  key: string,
  derive: Derive<T>,
  write: (element: E, value: T | undefined) => void,
): RefCallback<E> => {
  const client = useClient()
  const { clock } = useSystem()
  return useCallback(
    (element: E) => {
      const read = createUnitReader<T>(key)
      let written: T | undefined
      const look = (isFirst: boolean): void => {
        const snapshot = client.getSnapshot()
        const value = read(derive, snapshot, momentOf(snapshot, clock.getSnapshot().context.now))
        if (value === written && !isFirst) return
        written = value
        write(element, value)
      }
      look(true)
      return unitBoardOf(client, clock).subscribe(key, () => look(false))
    },
    [client, clock, key, derive, write],
  )
}
