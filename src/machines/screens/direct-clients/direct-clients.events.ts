export type DirectClientsEvent =
  | { readonly type: 'directClients.open' }
  | { readonly type: 'directClients.close' }
  /** What was typed in the fields for a new client. */
  | { readonly type: 'directClients.edit'; readonly address?: string; readonly name?: string }
  /** Add it. `addresses`: those of the list. */
  | { readonly type: 'directClients.add'; readonly addresses: readonly string[] }
  /** Show the import, and leave it. */
  | { readonly type: 'directClients.showImport' }
  | { readonly type: 'directClients.showList' }

/** Sent to the app. */
export type DirectClientsNotification = {
  readonly type: 'directClients.added'
  readonly address: string
  readonly name: string
}
