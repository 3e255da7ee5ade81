export type ConnectEvent =
  /** Open the dialog. `address`: initial value of the field. `isForeign`: it comes from a link, not from the user. */
  | { readonly type: 'connect.ask'; readonly address?: string; readonly isForeign?: boolean }
  | { readonly type: 'connect.edit'; readonly address: string }
  | { readonly type: 'connect.submit' }
  | { readonly type: 'connect.cancel' }

/** Sent to the app when the user confirmed. */
export type ConnectNotification = { readonly type: 'connect.agreed'; readonly address: string }
