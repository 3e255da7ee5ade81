import { Hono, type Context } from 'hono'
import { html, page, PAGE_HEADERS } from '../../host/html.ts'
import { providerLoginByState, assignProviderUser, type ProviderLogin } from '../store/provider-logins.ts'
import type { Store } from '../store/store.ts'
import { PROVIDER_USERS, providerUserById, PROVIDER } from './users.ts'

function backTo({ redirect_uri: redirectUri, state }: ProviderLogin, answer: Record<string, string>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ state, ...answer })) url.searchParams.set(name, value)
  return url.href
}

function choicePage(login: ProviderLogin): string {
  const href = (person: string): string =>
    `/provider/choose?${new URLSearchParams({ state: login.state, person }).toString()}`
  return page(
    `Sign in with ${PROVIDER.name}`,
    html` <p>Choose a user. You will return to ${new URL(login.redirect_uri).host}.</p>
      <ul>
        ${PROVIDER_USERS.map(({ id, name, email, about }) => html`<li><a href="${href(id)}">${name}</a><br /><small>${email}, ${about}</small></li>`)}
      </ul>
      <p><a href="${backTo(login, { error: 'access_denied' })}">Cancel</a></p>
      <p><small>A provider of Foldboard’s embedded network. All users are fictitious.</small></p>`,
  )
}

const EXPIRED_PAGE = page(
  'This sign-in has expired',
  html`<p>It took too long or was already completed. Start again from the dashboard.</p>`,
)

/** The provider's site: a page with a choice of user, and the redirect back. It asks for no passphrase. */
export function providerRoutes(store: Store): Hono {
  const routes = new Hono()

  const loginOf = async (context: Context): Promise<ProviderLogin | undefined> => {
    const state = context.req.query('state')
    return state === undefined ? undefined : providerLoginByState(store, state)
  }

  routes.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value)
  })

  routes.get('/', async context => {
    const login = await loginOf(context)
    return login === undefined ? context.html(EXPIRED_PAGE, 404) : context.html(choicePage(login))
  })

  routes.get('/choose', async context => {
    const login = await loginOf(context)
    const person = providerUserById(context.req.query('person') ?? '')
    if (login === undefined || person === undefined) return context.html(EXPIRED_PAGE, 404)
    const { email, name } = person
    return context.redirect(backTo(login, { code: await assignProviderUser(store, login.state, { email, name }) }))
  })

  return routes
}
