import type { VerifySnapshot } from './verify.machine.ts'

export type VerifyOutcome = 'pending' | 'verified' | 'refused' | 'unreachable'

/** The result of the verification. `unreachable` can be retried, `refused` cannot. */
export function selectVerifyOutcome(snapshot: VerifySnapshot): VerifyOutcome {
  if (snapshot.hasTag('pending')) return 'pending'
  if (snapshot.matches('verified')) return 'verified'
  return snapshot.context.fault?.kind === 'refused' ? 'refused' : 'unreachable'
}
