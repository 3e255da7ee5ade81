import type { Tags } from '../../../folding/fleet/tags.ts'

/** `machines`: the machines' own ids, not those of connections. */
export type TagsCommand =
  | { readonly type: 'tags.add'; readonly machines: readonly string[]; readonly tag: string }
  | { readonly type: 'tags.remove'; readonly machines: readonly string[]; readonly tag: string }
  /** On all machines. */
  | { readonly type: 'tags.rename'; readonly tag: string; readonly newTag: string }
  | { readonly type: 'tags.import'; readonly tags: Tags; readonly mode: 'merge' | 'replace' }

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type TagsFact = { readonly type: 'tags.restored'; readonly tags: Tags }

export type TagsEvent = TagsCommand | TagsFact

/** Sent to the store. */
export type KeepTags = { readonly type: 'store.keep'; readonly value: Tags }
