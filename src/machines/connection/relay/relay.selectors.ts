import type { RelaySnapshot } from './relay.machine.ts'

export type RelayCondition = 'inactive' | 'loading' | 'connected' | 'lost'

/** What to say of the way to the account's machines. */
export const selectRelayCondition = (snapshot: RelaySnapshot): RelayCondition => {
  if (snapshot.context.target === undefined) return 'inactive'
  if (snapshot.hasTag('connected')) return 'connected'
  return snapshot.hasTag('loading') && snapshot.context.heardAt === undefined ? 'loading' : 'lost'
}
