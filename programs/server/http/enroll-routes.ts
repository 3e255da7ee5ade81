import * as v from 'valibot'
import { get, post, type RouteSpec } from './route-fields.ts'

/* The page on which an administrator enrolls an account. */

export const enrollRoutes = {
  enrollPage: get('/api/server/enroll', 'administer', 'The page to enroll an account', { answer: 'text/html' }),
  enroll: post(
    '/api/server/enroll',
    'administer',
    'Enrolls an account, by a form: over TLS, or on the computer of the server. The passphrase is not stored',
    {
      isForm: true,
      body: v.object({
        email: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(320)),
        passphrase: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
      }),
      answer: 'text/html',
    },
  ),
} as const satisfies Readonly<Record<string, RouteSpec>>
