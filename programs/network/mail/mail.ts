import { saveEmail, storedEmails, type StoredEmail } from '../store/emails.ts'
import type { Store } from '../store/store.ts'
import type { Email } from './emails.ts'

export type Outbox = {
  readonly send: (email: Email) => Promise<void>
  /** Stored emails, newest first. */
  readonly outbox: () => Promise<StoredEmail[]>
}

/** Stores emails instead of sending them; they can be read at `/outbox`. */
export function createOutbox(store: Store): Outbox {
  return {
    send: email => saveEmail(store, { ...email, sent: new Date().toISOString() }),
    outbox: () => storedEmails(store),
  }
}
