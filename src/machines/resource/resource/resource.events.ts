export type ResourceEvent =
  /** Somebody needs the value: fetch it if there is none or it is too old. */
  | { readonly type: 'resource.want' }
  /** Fetch it in any case. */
  | { readonly type: 'resource.refresh' }

/** What a resource tells its parent. `value` has the type that its fetcher decodes to. */
export type ResourceNews = { readonly type: 'resource.fetched'; readonly key: string; readonly value: unknown }
