import { createTransport } from 'nodemailer'
import { keepMail, keptMails } from '../store/mails.ts'
import type { KeptMail } from '../store/mails.ts'
import type { Store } from '../store/store.ts'
import type { Letter } from './emails.ts'

export type Post = {
  /** Rejects when the letter could not be handed over. */
  send(letter: Letter): Promise<void>
  /** What was kept, newest first; undefined where letters are really sent. */
  outbox: (() => Promise<KeptMail[]>) | undefined
  close(): void
}

export const DEFAULT_FROM = 'Foldboard <noreply@foldboard.example>'

const TIMEOUT_MS = 15_000

/** Letters stay here, to be read at `/outbox`. */
export const createOutbox = (store: Store): Post => ({
  send: letter => keepMail(store, { ...letter, sent: new Date().toISOString() }),
  outbox: () => keptMails(store),
  close: () => undefined,
})

/** Letters go to the server of this `smtp://` or `smtps://` address. */
export const createSmtpPost = (url: string, from = DEFAULT_FROM): Post => {
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
    // The address as an object: it is then one mailbox, whatever its letters look like.
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    outbox: undefined,
    close: () => {
      transport.close()
    },
  }
}
