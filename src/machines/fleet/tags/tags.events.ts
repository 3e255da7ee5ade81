import type { OwnNames, TagChange, Tags } from '../../../folding/fleet/tags.ts'

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type TagsFact = { readonly type: 'tags.restored'; readonly tags: Tags }

/** What the server of this page keeps. `isCopied`: whether this browser keeps it too, in place of its own. */
type TagsServed = { readonly type: 'tags.served'; readonly tags: Tags; readonly isCopied: boolean }

export type TagsEvent = TagChange | TagsFact | TagsServed

/** Sent to the store. */
export type KeepTags = { readonly type: 'store.keep'; readonly value: Tags }

export type TagsNotification =
  /** The user changed the tags. */
  | { readonly type: 'tags.changed'; readonly change: TagChange }
  /** The own names among them are others than before. */
  | { readonly type: 'tags.named'; readonly tags: OwnNames }
