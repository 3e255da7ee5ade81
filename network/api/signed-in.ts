import { createMiddleware } from 'hono/factory'
import { accountOfSession } from '../store/sessions.ts'
import type { ApiServices, SignedInEnv } from './context.ts'
import { refusal } from './errors.ts'

/** `Authorization: <session id>`, without a scheme word (wire.md §16). */
export const signedIn = ({ store }: ApiServices) => createMiddleware<SignedInEnv>(async (context, next) => {
  const session = context.req.header('Authorization')
  const account = session === undefined ? undefined : await accountOfSession(store, session)
  if (session === undefined || account === undefined) throw refusal(401, 'Not signed in')
  context.set('session', session)
  context.set('account', account)
  await next()
})
