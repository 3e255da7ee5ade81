import { createTransport } from 'nodemailer'
import * as v from 'valibot'
import { listOf, secret, wholeNumberBetween, word } from '../../config/fields.ts'
import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import { ATTEMPT_MS, channelKind, shortened } from './channel.ts'
import { failureOf } from './http-call.ts'

/** Email by SMTP. Each attempt has the same Message-ID. */
export const email = channelKind('email', {
  label: 'Email',
  sends: 'a text, with STARTTLS unless `tls` says otherwise',
  settings: {
    host: v.pipe(word(253), v.description('SMTP server.')),
    port: v.pipe(v.optional(wholeNumberBetween(1, 65_535), 587), v.description('465 with tls = "always".')),
    tls: v.pipe(
      v.optional(v.picklist(['always', 'start', 'none'], 'must be one of always, start, none'), 'start'),
      v.description('always: from the first byte (port 465); start: STARTTLS, required; none: not encrypted.'),
    ),
    user: v.pipe(v.optional(word()), v.description('Name to log in with; without it there is no login.')),
    password: v.pipe(secret, v.description('Password to log in with.')),
    from: v.pipe(word(), v.description('Address of the sender.')),
    to: v.pipe(listOf(word(), 50), v.minLength(1, 'must not be empty'), v.description('Addresses of the receivers.')),
  },
  secrets: ['password'],
  mistake: ({ user, password }, where) =>
    user !== undefined && password === undefined
      ? { key: 'user', message: `${where}.user needs ${where}.password.` }
      : undefined,
  open: settings => {
    const { name, host, port, tls, user, password = '', from, to } = settings
    const stopped = new AbortController()
    return {
      // Servers differ in whether they recognize a Message-ID.
      isRepeatable: false,
      stop: () => stopped.abort(),
      send: async ({ id, title, body, at, gravity, link }) => {
        // Nodemailer reports the end of the message only to its logger.
        let isWritten = false
        const transport = createTransport({
          host,
          port,
          secure: tls === 'always',
          requireTLS: tls === 'start',
          ignoreTLS: tls === 'none',
          connectionTimeout: ATTEMPT_MS / 2,
          greetingTimeout: ATTEMPT_MS / 2,
          socketTimeout: ATTEMPT_MS,
          disableFileAccess: true,
          disableUrlAccess: true,
          logger: {
            info: (entry: unknown) => {
              if (typeof entry === 'object' && entry !== null && Reflect.get(entry, 'tnx') === 'message')
                isWritten = true
            },
          },
          ...(user === undefined ? {} : { auth: { user, pass: password } }),
        })
        const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(ATTEMPT_MS)])
        try {
          await transport.sendMail({
            from,
            to,
            subject: shortened(title.replaceAll(/\p{Cc}/gu, ' '), 200),
            text: link === undefined ? `${body}\n` : `${body}\n\n${link}\n`,
            date: new Date(at),
            messageId: `<${id}@foldboard.server>`,
            headers: { 'Auto-Submitted': 'auto-generated' },
            ...(gravity === 'grave' ? { priority: 'high' as const } : {}),
            signal,
          })
          return { kind: 'sent' }
        } catch (error) {
          return resultOf(name, error, { isWritten, isLate: signal.aborted })
        }
      },
    }
  },
})

/** A status of 500 and more is final (RFC 5321 §4.2.1), but for a login: its password may be corrected elsewhere. */
function resultOf(
  name: string,
  error: unknown,
  { isWritten, isLate }: { readonly isWritten: boolean; readonly isLate: boolean },
): Attempt {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'responseCode') : undefined
  if (typeof status !== 'number') {
    const failure = isLate ? 'no answer in time' : failureOf(error)
    return isWritten
      ? { kind: 'unknown', reason: `${name} did not answer to the message: ${failure}` }
      : { kind: 'failed', reason: `${name} cannot be reached: ${failure}` }
  }
  const reason = `${name} answered with status ${status}`
  return status >= 500 && status !== 535 ? { kind: 'refused', reason } : { kind: 'failed', reason }
}
