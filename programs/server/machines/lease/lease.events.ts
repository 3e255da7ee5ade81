/** What servers of one database hold, as one of them saw it in its last renewal. */
export type Holdings = {
  readonly server: string
  /** All servers by their leases. `url`: where others reach it. `settings`: a hash of its clients. */
  readonly servers: readonly { readonly id: string; readonly url: string; readonly settings: string }[]
  /** Which lease holds a client, by its address, or the coordination. */
  readonly holders: ReadonlyMap<string, string>
  /** What this server still holds and gives up. */
  readonly releases: readonly string[]
}

/** The database notified that holdings may have changed. Notifications can be lost. */
export type LeaseEvent = { readonly type: 'lease.hinted' }
