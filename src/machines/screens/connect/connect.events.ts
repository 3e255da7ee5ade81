export type ConnectEvent =
  /** Ask for an address. `address` is what the field begins with; `isForeign` when a link, not the person, named it. */
  | { readonly type: 'connect.ask'; readonly address?: string; readonly isForeign?: boolean }
  | { readonly type: 'connect.edit'; readonly address: string }
  | { readonly type: 'connect.submit' }
  | { readonly type: 'connect.cancel' }

/** What the dialog tells its parent when the person agreed. */
export type ConnectFact = { readonly type: 'connect.agreed'; readonly address: string }
