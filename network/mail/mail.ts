import { createTransport } from 'nodemailer'
import { saveEmail, storedEmails } from '../store/emails.ts'
import type { StoredEmail } from '../store/emails.ts'
import type { Store } from '../store/store.ts'
import type { Email } from './emails.ts'

export type MailTransport = {
  /** Rejects if the email could not be delivered to the server. */
  send(email: Email): Promise<void>
  /** Stored emails, newest first; undefined if emails are sent. */
  outbox: (() => Promise<StoredEmail[]>) | undefined
  close(): void
}

const TIMEOUT_MS = 15_000

/** Stores emails instead of sending them; they can be read at `/outbox`. */
export const createOutbox = (store: Store): MailTransport => ({
  send: email => saveEmail(store, { ...email, sent: new Date().toISOString() }),
  outbox: () => storedEmails(store),
  close: () => undefined,
})

/** Sends emails through the server of an `smtp://` or `smtps://` URL. */
export const createSmtpTransport = (url: string, from: string): MailTransport => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
  return {
    // As an object, the address is one mailbox, whatever characters it contains.
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    outbox: undefined,
    close: () => {
      transport.close()
    },
  }
}
