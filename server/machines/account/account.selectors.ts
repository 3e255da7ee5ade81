import type { EnrolledAccountSnapshot } from './account.machine.ts'

/** Whether the connection to the relay is meant to be open, so that what is missing there is out of reach. */
export const isThroughRelay = (snapshot: EnrolledAccountSnapshot): boolean =>
  snapshot.matches({ running: 'sampling' }) || snapshot.matches({ running: 'connected' })
