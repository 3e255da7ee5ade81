import type { SavedViews, ViewParams } from '../../../folding/fleet/saved-views.ts'

export type ViewsCommand =
  /** Adds a view, or changes the one of this name. */
  | { readonly type: 'views.save'; readonly name: string; readonly params: ViewParams }
  | { readonly type: 'views.rename'; readonly name: string; readonly newName: string }
  | { readonly type: 'views.move'; readonly name: string; readonly by: -1 | 1 }
  | { readonly type: 'views.delete'; readonly name: string }
  /** The view that is shown when the screen is opened without parameters; undefined for none. */
  | { readonly type: 'views.choose'; readonly name: string | undefined }
  | { readonly type: 'views.import'; readonly views: SavedViews; readonly mode: 'merge' | 'replace' }

/** The machines screen is shown with these parameters. */
type ViewsShown = { readonly type: 'views.shown'; readonly params: ViewParams }

/** Opens and closes the dialog that manages views. */
type ViewsDialog = { readonly type: 'views.open' } | { readonly type: 'views.close' }

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type ViewsFact = { readonly type: 'views.restored'; readonly views: SavedViews }

export type ViewsEvent = ViewsCommand | ViewsShown | ViewsDialog | ViewsFact

/** Sent to the store. */
export type KeepViews = { readonly type: 'store.keep'; readonly value: SavedViews }
