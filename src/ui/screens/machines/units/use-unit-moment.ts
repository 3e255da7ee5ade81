import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useSystem } from '../../../hooks/system-context.ts'
import { momentOf, useClient } from '../client-context.ts'
import { unitBoardOf } from './unit-subscriptions.ts'
import { createUnitReader, type Derive, type Primitive } from './unit-reader.ts'

/** What one unit means at this moment; undefined when it is gone. */
export const useUnitMoment = <T extends Primitive>(key: string, derive: Derive<T>): T | undefined => {
  const client = useClient()
  const { clock } = useSystem()
  const read = useMemo(() => createUnitReader<T>(key), [key])
  const subscribe = useCallback(
    (onChange: () => void) => unitBoardOf(client, clock).subscribe(key, onChange),
    [client, clock, key],
  )
  return useSyncExternalStore(subscribe, () => {
    const snapshot = client.getSnapshot()
    return read(derive, snapshot, momentOf(snapshot, clock.getSnapshot().context.now))
  })
}
