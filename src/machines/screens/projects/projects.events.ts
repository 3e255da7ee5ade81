export type ProjectsEvent =
  /** Somebody begins, or ceases, to look at the projects. */
  { readonly type: 'projects.open' } | { readonly type: 'projects.close' }
