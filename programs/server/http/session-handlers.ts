import { hostname } from 'node:os'
import { mayUse } from '../access/access.ts'
import { callerOf } from '../access/caller.ts'
import { timeText } from './answers.ts'
import { FORM_HEADERS, inReadersLanguage, localPath, loginPage } from './form-pages.ts'
import type { ApiServices, Handlers } from './handler.ts'
import type { ActionAnswer } from './routes.ts'

type SessionServices = Pick<ApiServices, 'access' | 'config' | 'machines' | 'store' | 'version'>

/** Handlers of the routes of users: signing in, who somebody is, who may do what, and who did what. */
export function sessionHandlers({
  access,
  config,
  machines: clients,
  store,
  version,
}: SessionServices): Pick<Handlers, 'loginPage' | 'login' | 'logout' | 'session' | 'actions' | 'users'> {
  return {
    loginPage: async ({ query }, context) => {
      const page = await inReadersLanguage(context, () => loginPage(localPath(query.next), query.wrong))
      return new Response(page, { headers: { ...FORM_HEADERS, 'Content-Type': 'text/html; charset=utf-8' } })
    },
    login: async ({ body }, context) => {
      const result = await access.login(callerOf(context.env.incoming), body.name, body.password)
      const next = localPath(body.next)
      if (result.kind === 'signed-in') {
        context.header('Set-Cookie', result.cookie)
        return context.redirect(next, 303)
      }
      if (result.kind === 'slow-down') context.header('Retry-After', String(result.seconds))
      const status = result.kind === 'wrong' ? 401 : 429
      const page = await inReadersLanguage(context, () => loginPage(next, result.kind, body.name))
      return context.body(page, status, {
        ...FORM_HEADERS,
        'Content-Type': 'text/html; charset=utf-8',
      })
    },
    logout: async ({ identity }, context) => {
      context.header('Set-Cookie', await access.logout(callerOf(context.env.incoming), identity))
      return context.json({ status: 'signed out' })
    },
    session: async ({ identity }, context) => {
      const { name, role, scopes, expires, session } = identity
      return context.json({
        name,
        role,
        scopes: scopes ?? null,
        expires: timeText(expires),
        mayControl: mayUse(identity, 'control'),
        canSignOut: session !== undefined,
        shared: await store.shared.revision(),
        server: { name: hostname(), version: version },
        machines: clients().map(({ number, givenName, commands, excess }) => ({
          number,
          name: givenName,
          commands: [...commands],
          excess,
        })),
      })
    },

    actions: async ({ query }, context) => {
      const actions: ActionAnswer[] = (await store.actions(query.limit)).map(({ at, ...action }) => ({
        ...action,
        at: new Date(at).toISOString(),
      }))
      return context.json({ actions })
    },
    users: (_, context) =>
      context.json({
        users: config.users.map(({ name, role }) => ({ name, role })),
        tokens: config.tokens.map(({ name, scopes, expires }) => ({ name, scopes, expires: expires.toISOString() })),
      }),
  }
}
