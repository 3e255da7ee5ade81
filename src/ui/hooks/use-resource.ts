import { shallowEqual, useSelector } from './use-selector.ts'
import { useEffect } from 'react'
import type { ResourceKey, ValueOf } from '../../folding/shared/resource-keys.ts'
import { selectResource } from '../../machines/resource/query-cache/query-cache.selectors.ts'
import {
  selectResourceState,
  initialResourceState,
  type ResourceState,
} from '../../machines/resource/resource/resource.selectors.ts'
import type { ResourceSnapshot } from '../../machines/resource/resource/resource.machine.ts'
import { useSystem } from './system-context.ts'

function stateOf(snapshot: ResourceSnapshot | undefined): ResourceState<unknown> {
  return snapshot === undefined ? initialResourceState : selectResourceState(snapshot)
}

/**
 * A remote value, requested while the component is mounted. Without a key nothing is requested. `passkey` is sent with
 * the request and not stored.
 */
export function useResource<Key extends ResourceKey>(
  key: Key | undefined,
  passkey?: string,
): ResourceState<ValueOf<Key>> {
  const { queryCache } = useSystem()
  const person = useSelector(queryCache, ({ context }) => context.person)
  useEffect(() => {
    if (key === undefined) return undefined
    queryCache.send({ type: 'queryCache.want', key, ...(passkey === undefined ? {} : { secrets: { passkey } }) })
    return () => queryCache.send({ type: 'queryCache.release', key })
  }, [queryCache, key, passkey, person])
  const ref = useSelector(queryCache, selectResource(key))
  // The fetcher of a key decodes to the type that `ResourceValues` has for it.
  return useSelector(ref, stateOf, shallowEqual) as ResourceState<ValueOf<Key>>
}
