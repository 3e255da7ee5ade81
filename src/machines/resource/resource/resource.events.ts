export type ResourceEvent =
  /** Somebody needs the value: fetch it if there is none or it is too old. */
  | { readonly type: 'resource.want' }
  /** Fetch it in any case. */
  | { readonly type: 'resource.refresh' }
