import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { PROVIDER } from '../../provider/users.ts'
import { accountByEmail } from '../../store/accounts.ts'
import {
  beginProviderLogin,
  completeProviderLogin,
  endProviderLogin,
  providerLoginByState,
  type ProviderLogin,
} from '../../store/provider-logins.ts'
import { openSession } from '../../store/sessions.ts'
import type { ApiServices } from '../context.ts'
import { refusal } from '../errors.ts'
import { pageToReturnTo } from '../page-address.ts'
import { readQuery } from '../reading.ts'

const text = v.pipe(v.string(), v.maxLength(2_000))
const query = v.object({
  redirect_uri: v.optional(text),
  state: v.optional(text),
  code: v.optional(text),
  error: v.optional(text),
})

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/**
 * Sign-in with a provider by redirects: called first without parameters, then with those of the provider's redirect.
 */
export function loginProviderRoutes(services: ApiServices): Hono {
  const { store, allowedOrigins } = services
  const routes = new Hono()

  const complete = async (login: ProviderLogin): Promise<void> => {
    const account = await accountByEmail(store, login.email ?? '')
    if (account === undefined || account.verified === null) {
      await completeProviderLogin(store, login.session)
      return
    }
    await endProviderLogin(store, login.session)
    await openSession(store, account.id, login.session)
  }

  routes.get('/:provider', async context => {
    if (context.req.param('provider') !== PROVIDER.id) throw refusal(404, 'Unknown provider')
    const { redirect_uri: redirectUri, state, code, error } = readQuery(context, query)
    if (state === undefined) {
      const login = await beginProviderLogin(
        store,
        PROVIDER.id,
        pageToReturnTo('redirect_uri', redirectUri ?? '', allowedOrigins),
      )
      const redirect = new URL('/provider', context.req.url)
      redirect.searchParams.set('state', login.state)
      return context.json({ id: login.session, redirect: redirect.href })
    }
    const login = await providerLoginByState(store, state)
    if (login === undefined) throw refusal(404, 'This sign-in has expired: please start again')
    // Only the browser that started the sign-in may complete it, against login CSRF.
    if (!isSame(context.req.header('Authorization') ?? '', login.session))
      throw refusal(401, 'This sign-in was started in another browser')
    if (error !== undefined || code === undefined || login.code === null || !isSame(code, login.code)) {
      await endProviderLogin(store, login.session)
      throw refusal(401, 'The provider did not confirm who you are')
    }
    await complete(login)
    return context.json({ id: login.session })
  })

  return routes
}
