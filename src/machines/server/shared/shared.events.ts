import type { Shared, SharedChange } from '../../../folding/fleet/shared.ts'

export type SharedReply = { readonly kind: 'known'; readonly shared: Shared } | { readonly kind: 'unreachable' }

export type ChangeResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'refused'; readonly reason: string }

export type SharedEvent =
  /** What the server said last. `mayChange`: whether this page's user may change tags and views there. */
  | { readonly type: 'shared.announced'; readonly revision: string; readonly mayChange: boolean }
  /** A part of the page that was loaded later needs what the server has. */
  | { readonly type: 'shared.refresh' }
  /** The user changed tags, views or power in this page. */
  | { readonly type: 'shared.change'; readonly change: SharedChange }

export type SharedNotification =
  | { readonly type: 'shared.received'; readonly shared: Shared; readonly isCopied: boolean }
  /** The server did not keep a change. `reason`: why; undefined when it did not answer. */
  | { readonly type: 'shared.notKept'; readonly reason: string | undefined }
