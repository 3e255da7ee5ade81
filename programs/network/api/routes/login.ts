import { Hono } from 'hono'
import * as v from 'valibot'
import { accountByEmail, passwordFits } from '../../store/accounts.ts'
import { endProviderLogin } from '../../store/provider-logins.ts'
import { closeSession, openSession } from '../../store/sessions.ts'
import type { ApiServices } from '../context.ts'
import { isEmbedded } from '../cors.ts'
import { refusal } from '../errors.ts'
import { createLimiter } from '../../../host/limiter.ts'
import { readQuery } from '../reading.ts'
import { email, password } from '../rules.ts'
import { requireVisitor } from '../signed-in.ts'

const loginQuery = v.object({ email, password })

const MAX_FAILURES = 10
const WITHIN_MS = 60_000

export function loginRoutes(services: ApiServices): Hono {
  const { store, now } = services
  const failures = createLimiter({ most: MAX_FAILURES, withinMs: WITHIN_MS, now })
  const routes = new Hono()

  routes.get('/login', async context => {
    if (isEmbedded(context)) throw refusal(403, 'This call is for the dashboard')
    const query = readQuery(context, loginQuery)
    // Limited by origin and address, so that requests without an Origin cannot lock out the dashboard.
    const name = `${context.req.header('Origin') ?? ''} ${query.email.toLowerCase()}`
    const wait = failures.secondsToWait(name)
    if (wait !== undefined) {
      context.header('Retry-After', String(wait))
      throw refusal(429, `Too many attempts: please wait ${wait} seconds`)
    }
    const account = await accountByEmail(store, query.email)
    if (account === undefined || !passwordFits(account, query.password)) {
      failures.count(name)
      throw account === undefined ? refusal(404, 'Account not found') : refusal(401, 'Wrong email or passphrase')
    }
    if (account.verified === null) throw refusal(409, 'Account not active')
    failures.reset(name)
    return context.json({ id: await openSession(store, account.id) })
  })

  routes.put('/logout', requireVisitor(services), async context => {
    const visitor = context.get('visitor')
    if (visitor.kind === 'account') await closeSession(store, visitor.session)
    else await endProviderLogin(store, visitor.guest.session)
    return context.json({})
  })

  return routes
}
