import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'

export type ResourceEvent =
  /** Somebody reads it: from now on it is fetched whenever there is none or it is too old. */
  | { readonly type: 'resource.want' }
  /** Nobody reads it any more. */
  | { readonly type: 'resource.release' }
  /** Whoever it was about has left. */
  | { readonly type: 'resource.forget' }
  /** The computer woke or the network came back: what failed may work now, what was fresh may be old. */
  | { readonly type: 'resource.check' }
  /** Fetch it in any case, with these secrets if there are others than before. */
  | { readonly type: 'resource.refresh'; readonly secrets?: ResourceSecrets }

/** What is known of a remote value: what it is, or that there is none (404). */
export type Known = { readonly isThere: true; readonly value: unknown } | { readonly isThere: false }

/** `at`: when it was fetched, in corrected epoch milliseconds. */
export type Found = { readonly known: Known; readonly at: number }

/** What this browser kept, and how old it is now, in milliseconds. */
export type Recalled = Found & { readonly age: number }

export type Fetched = ({ readonly ok: true } & Found) | { readonly ok: false; readonly fault: ApiFault }

/** What a resource tells its parent, whenever it learns something that it did not know. */
export type ResourceNews = { readonly type: 'resource.learned'; readonly key: ResourceKey; readonly known: Known }
