import type { RememberedMachine } from '../connection/fleet/fleet.events.ts'

/** What this browser has kept of some machines. A large fleet comes in parts. */
export type MemoryFact =
  | { readonly type: 'memory.recalled'; readonly machines: readonly RememberedMachine[] }
  /** This browser keeps nothing: no session, no machines, no history. */
  | { readonly type: 'memory.unavailable' }

/** Nobody is signed in any more: what belongs to an account is not kept. */
export type MemoryCommand = { readonly type: 'memory.forgetAccount' }
