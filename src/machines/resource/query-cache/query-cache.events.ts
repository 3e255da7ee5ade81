import type { ErrorActorEvent } from 'xstate'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { ResourceNews } from '../resource/resource.events.ts'

export type LibraryCommand =
  /** A reader starts reading the value; each `want` is followed by one `release`. */
  | { readonly type: 'library.want'; readonly key: ResourceKey; readonly secrets?: ResourceSecrets }
  | { readonly type: 'library.release'; readonly key: ResourceKey }
  /** Fetch it again, for example when the user retries after a failure. */
  | { readonly type: 'library.refresh'; readonly key: ResourceKey }
  /** The computer woke up or the network came back. */
  | { readonly type: 'library.check' }
  /** The user signed out: delete personal values, here and in the browser's store. */
  | { readonly type: 'library.forgetPerson' }

export type LibraryEvent = LibraryCommand | ResourceNews | ErrorActorEvent
