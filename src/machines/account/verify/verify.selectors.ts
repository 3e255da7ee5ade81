import type { VerifySnapshot } from './verify.machine.ts'

export type VerifyOutcome = 'pending' | 'verified' | 'refused' | 'unreachable'

/** What became of the link. A token that could not be asked for may be tried again; one that was refused may not. */
export const selectVerifyOutcome = (snapshot: VerifySnapshot): VerifyOutcome => {
  if (snapshot.hasTag('pending')) return 'pending'
  if (snapshot.matches('verified')) return 'verified'
  return snapshot.context.fault?.kind === 'refused' ? 'refused' : 'unreachable'
}
