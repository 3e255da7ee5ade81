export type ProjectsEvent =
  | { readonly type: 'projects.open' }
  | { readonly type: 'projects.close' }
  /** Descriptions of earlier projects are wanted: of the first `count` of their list. */
  | { readonly type: 'projects.describe'; readonly count: number }
