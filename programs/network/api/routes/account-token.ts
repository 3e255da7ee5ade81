import { Hono } from 'hono'
import { renewToken } from '../../store/accounts.ts'
import type { ApiServices, SignedInEnv } from '../context.ts'
import { requireAccount } from '../signed-in.ts'

export function accountTokenRoutes(services: ApiServices): Hono<SignedInEnv> {
  const routes = new Hono<SignedInEnv>()
  routes.use(requireAccount(services))
  routes.post('/', async context =>
    context.json({ token: await renewToken(services.store, context.get('account').id) }),
  )
  return routes
}
