import * as v from 'valibot'
import type { RouteSpec } from './route-fields.ts'

/* The page on which an administrator enrolls an account. */

export const enrollRoutes = {
  enrollPage: {
    method: 'get',
    path: '/api/server/enroll',
    need: 'administer',
    summary: 'The page to enroll an account',
    answer: 'text/html',
  },
  enroll: {
    method: 'post',
    path: '/api/server/enroll',
    need: 'administer',
    isForm: true,
    summary: 'Enrolls an account, by a form: over TLS, or on the computer of the server. The passphrase is not stored',
    body: v.object({
      email: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(320)),
      passphrase: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
    }),
    answer: 'text/html',
  },
} as const satisfies Readonly<Record<string, RouteSpec>>
