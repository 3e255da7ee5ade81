export type Dock = 'side' | 'bottom'

/** Kept while the page is open. `size`: width (side) or height (bottom) in CSS pixels. */
export type InspectorLayout = { readonly dock: Dock; readonly size: Readonly<Record<Dock, number>> }
