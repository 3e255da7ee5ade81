import type { SocketUrl } from '../../../protocol/url.ts'
import type { RelaySnapshot } from './relay.machine.ts'

export type RelayCondition = 'inactive' | 'loading' | 'connected' | 'lost'

/** What the account names as its node, when that is no address. */
export const selectInvalidNode = (snapshot: RelaySnapshot): string | undefined => snapshot.context.invalidNode

/** Undefined when nobody is signed in, or the account names no node. */
export const selectRelayUrl = (snapshot: RelaySnapshot): SocketUrl | undefined => snapshot.context.target?.url

/** What to say of the way to the account's machines. */
export const selectRelayCondition = (snapshot: RelaySnapshot): RelayCondition => {
  if (snapshot.context.target === undefined) return 'inactive'
  if (snapshot.hasTag('connected')) return 'connected'
  return snapshot.hasTag('loading') && snapshot.context.heardAt === undefined ? 'loading' : 'lost'
}
