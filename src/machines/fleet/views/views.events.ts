import type { SavedViews, ViewChange, ViewParams } from '../../../folding/fleet/saved-views.ts'

/** The machines screen is shown with these parameters. */
type ViewsShown = { readonly type: 'views.shown'; readonly params: ViewParams }

type ViewsDialog = { readonly type: 'views.open' } | { readonly type: 'views.close' }

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type ViewsFact = { readonly type: 'views.restored'; readonly views: SavedViews }

/** What the server of this page keeps. `isCopied`: whether this browser keeps it too, in place of its own. */
type ViewsServed = { readonly type: 'views.served'; readonly views: SavedViews; readonly isCopied: boolean }

export type ViewsEvent = ViewChange | ViewsShown | ViewsDialog | ViewsFact | ViewsServed

/** Sent to the store. */
export type KeepViews = { readonly type: 'store.keep'; readonly value: SavedViews }

/** Tells that the user changed the views. */
export type ViewsNotification = { readonly type: 'views.changed'; readonly change: ViewChange }
