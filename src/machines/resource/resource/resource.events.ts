import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'

export type ResourceEvent =
  /** It has readers: fetch it whenever it is missing or too old. */
  | { readonly type: 'resource.want' }
  /** It has no readers any more. */
  | { readonly type: 'resource.release' }
  /** The user signed out: delete the value. */
  | { readonly type: 'resource.clear' }
  /** The computer woke up or the network came back: retry a failure, and check the age of the value. */
  | { readonly type: 'resource.check' }
  /** Fetch it in any case, with new secrets if given. */
  | { readonly type: 'resource.refresh'; readonly secrets?: ResourceSecrets }

/** A remote value, or the fact that there is none (404). */
export type Known = { readonly isThere: true; readonly value: unknown } | { readonly isThere: false }

/** `at`: when it was fetched, in corrected epoch milliseconds. */
export type Found = { readonly known: Known; readonly at: number }

/** The value that this browser stored, and its age in milliseconds. */
export type StoredResource = Found & { readonly age: number }

export type Fetched = ({ readonly ok: true } & Found) | { readonly ok: false; readonly fault: ApiFault }

/** Sent to the parent when the value changed. */
export type ResourceNotification = {
  readonly type: 'resource.changed'
  readonly key: ResourceKey
  readonly known: Known
}
