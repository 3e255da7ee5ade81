import type { SocketUrl } from '../../../protocol/url.ts'
import type { RelaySnapshot } from './relay.machine.ts'

export type RelayCondition = 'inactive' | 'loading' | 'connected' | 'lost'

/** Undefined without an account, and when the account names no node. */
export function selectRelayUrl(snapshot: RelaySnapshot): SocketUrl | undefined {
  return snapshot.context.target?.url
}

/** Condition of the relay connection. */
export function selectRelayCondition(snapshot: RelaySnapshot): RelayCondition {
  if (snapshot.context.target === undefined) return 'inactive'
  if (snapshot.hasTag('connected')) return 'connected'
  return snapshot.hasTag('loading') && snapshot.context.lastReceivedAt === undefined ? 'loading' : 'lost'
}
