import { useCallback, type RefCallback } from 'react'
import { useSystem } from '../../../hooks/system-context.ts'
import { useClient } from '../client-context.ts'
import { unitBoardOf } from './unit-subscriptions.ts'

/** For the element that shows all of a unit: what is in it changes less often while it is out of sight. */
export const useUnitPlace = (key: string): RefCallback<HTMLElement> => {
  const client = useClient()
  const { clock } = useSystem()
  return useCallback((element: HTMLElement) => unitBoardOf(client, clock).place(key, element), [client, clock, key])
}
