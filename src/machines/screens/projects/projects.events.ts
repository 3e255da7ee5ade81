export type ProjectsEvent =
  /** The projects screen was opened or closed. */
  { readonly type: 'projects.open' } | { readonly type: 'projects.close' }
