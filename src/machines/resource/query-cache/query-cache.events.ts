import type { ErrorActorEvent } from 'xstate'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { ResourceNotification } from '../resource/resource.events.ts'

export type QueryCacheCommand =
  /** A reader starts reading the value; each `want` is followed by one `release`. */
  | { readonly type: 'queryCache.want'; readonly key: ResourceKey; readonly secrets?: ResourceSecrets }
  | { readonly type: 'queryCache.release'; readonly key: ResourceKey }
  /** Fetch it again, for example when the user retries after a failure. */
  | { readonly type: 'queryCache.refresh'; readonly key: ResourceKey }
  /** The computer woke up or the network came back. */
  | { readonly type: 'queryCache.check' }
  /** The user signed out: delete personal values, here and in the browser's store. */
  | { readonly type: 'queryCache.clearPersonal' }

export type QueryCacheEvent = QueryCacheCommand | ResourceNotification | ErrorActorEvent
