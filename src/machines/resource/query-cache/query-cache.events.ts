import type { ErrorActorEvent } from 'xstate'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { ResourceNews } from '../resource/resource.events.ts'

export type LibraryCommand =
  /** Somebody begins to read it; each `want` is followed by one `release`. */
  | { readonly type: 'library.want'; readonly key: ResourceKey; readonly secrets?: ResourceSecrets }
  | { readonly type: 'library.release'; readonly key: ResourceKey }
  /** Fetch it anew, as after a failure that a person saw. */
  | { readonly type: 'library.refresh'; readonly key: ResourceKey }
  /** The computer woke or the network came back. */
  | { readonly type: 'library.check' }
  /** Whoever it was about has left: nothing personal stays, here or in the browser's store, until it is wanted anew. */
  | { readonly type: 'library.forgetPerson' }

export type LibraryEvent = LibraryCommand | ResourceNews | ErrorActorEvent
