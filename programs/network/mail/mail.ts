import { saveEmail, storedEmails } from '../store/emails.ts'
import type { Store } from '../store/store.ts'
import type { Email } from './emails.ts'

/** Stores emails instead of sending them; they can be read at `/outbox`. */
export function createOutbox(store: Store) {
  return {
    send: (email: Email): Promise<void> => saveEmail(store, { ...email, sent: new Date().toISOString() }),
    /** Stored emails, newest first. */
    outbox: () => storedEmails(store),
  }
}

export type Outbox = ReturnType<typeof createOutbox>
