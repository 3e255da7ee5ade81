import type { EnrolledAccountSnapshot } from './account.machine.ts'

/** Whether the connection to the relay is meant to be open, so that what is missing there is out of reach. */
export function isThroughRelay(snapshot: EnrolledAccountSnapshot): boolean {
  return snapshot.matches({ running: 'sampling' }) || snapshot.matches({ running: 'connected' })
}
