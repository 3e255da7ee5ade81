import type { RememberedClient } from '../connection/fleet/fleet.events.ts'

/** Clients as this browser stored them. A large fleet arrives in several events. */
export type MemoryFact =
  | { readonly type: 'memory.restored'; readonly machines: readonly RememberedClient[] }
  /** This browser stores nothing: no session, no clients, no history. */
  | { readonly type: 'memory.unavailable' }

/** The user signed out: delete what belongs to the account. */
export type MemoryCommand = { readonly type: 'memory.clearAccount' }
