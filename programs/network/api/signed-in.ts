import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { guestOfSession } from '../store/provider-logins.ts'
import { accountOfSession } from '../store/sessions.ts'
import type { ApiServices, SignedInEnv, Visitor, VisitorEnv } from './context.ts'
import { refusal } from './errors.ts'

/** `Authorization: <session id>`, without a scheme word (docs/protocol.md §16). */
export async function visitorOf({ store }: ApiServices, context: Context): Promise<Visitor | undefined> {
  const session = context.req.header('Authorization')
  if (session === undefined) return undefined
  const account = await accountOfSession(store, session)
  if (account !== undefined) return { kind: 'account', account, session }
  const guest = await guestOfSession(store, session)
  return guest && { kind: 'guest', guest }
}

async function authenticated(services: ApiServices, context: Context): Promise<Visitor> {
  const visitor = await visitorOf(services, context)
  if (visitor === undefined) throw refusal(401, 'Not signed in')
  return visitor
}

/** For calls that a guest may make too, to create an account. */
export function requireVisitor(services: ApiServices) {
  return createMiddleware<VisitorEnv>(async (context, next) => {
    context.set('visitor', await authenticated(services, context))
    await next()
  })
}

export function requireAccount(services: ApiServices) {
  return createMiddleware<SignedInEnv>(async (context, next) => {
    const visitor = await authenticated(services, context)
    if (visitor.kind === 'guest') throw refusal(409, 'The account has not been made yet')
    context.set('session', visitor.session)
    context.set('account', visitor.account)
    await next()
  })
}
