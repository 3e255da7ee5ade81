export type ProjectsEvent = { readonly type: 'projects.open' } | { readonly type: 'projects.close' }
