import { Hono } from 'hono'
import * as v from 'valibot'
import { accountByEmail, passwordFits } from '../../store/accounts.ts'
import { closeSession, openSession } from '../../store/sessions.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { readQuery } from '../reading.ts'
import { email, password } from '../rules.ts'
import { signedIn } from '../signed-in.ts'

const loginQuery = v.object({ email, password })

export const loginRoutes = (services: ApiServices): Hono => {
  const { store } = services
  const routes = new Hono()

  routes.get('/login', async (context) => {
    const query = readQuery(context, loginQuery)
    const account = await accountByEmail(store, query.email)
    if (account === undefined) throw refusal(404, 'Account not found')
    if (!passwordFits(account, query.password)) throw refusal(401, 'Wrong email or passphrase')
    if (account.verified === null) throw refusal(409, 'Account not active')
    return context.json({ id: await openSession(store, account.id) })
  })

  routes.put('/logout', signedIn(services), async (context) => {
    await closeSession(store, context.get('session'))
    return context.json({})
  })

  return routes
}
