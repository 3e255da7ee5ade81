import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ApiServices } from './context.ts'
import { onlyKnownOrigins } from './cors.ts'
import { refusal, sendError, sendNotFound } from './errors.ts'
import { accountRoutes } from './routes/account.ts'
import { accountMachineRoutes } from './routes/account-machines.ts'
import { accountSecretRoutes } from './routes/account-secret.ts'
import { accountTeamRoutes } from './routes/account-teams.ts'
import { accountTokenRoutes } from './routes/account-token.ts'
import { loginProviderRoutes } from './routes/login-provider.ts'
import { loginRoutes } from './routes/login.ts'
import { machineRoutes } from './routes/machine.ts'
import { articleRoutes } from './routes/news.ts'
import { outboxRoutes } from './routes/outbox.ts'
import { projectRoutes } from './routes/project.ts'
import { registerRoutes } from './routes/register.ts'
import { releaseRoutes } from './routes/release.ts'
import { resetRoutes } from './routes/reset.ts'
import { standingsRoutes } from './routes/standings.ts'
import { providerRoutes } from '../provider/routes.ts'

const MAX_BODY_BYTES = 1_048_576

/** The whole API: each concern is a module in `routes/`, mounted here. */
export function createApi(services: ApiServices): Hono {
  const app = new Hono()
  app.onError(sendError(services.report))
  app.notFound(sendNotFound)
  app.use(onlyKnownOrigins(services))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: context => {
        // The rest of the body is not read, so this connection cannot be reused.
        context.header('Connection', 'close')
        throw refusal(413, 'The request is too large')
      },
    }),
  )
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
  })
  app.route('/', loginRoutes(services))
  app.route('/login', loginProviderRoutes(services))
  app.route('/provider', providerRoutes(services.store))
  app.route('/', registerRoutes(services))
  app.route('/reset', resetRoutes(services))
  app.route('/account', accountRoutes(services))
  app.route('/account/secret', accountSecretRoutes(services))
  app.route('/account/token', accountTokenRoutes(services))
  app.route('/account/teams', accountTeamRoutes(services))
  app.route('/account/machines', accountMachineRoutes(services))
  app.route('/project', projectRoutes(services))
  app.route('/machine', machineRoutes(services))
  app.route('/', standingsRoutes(services))
  app.route('/', articleRoutes())
  app.route('/release', releaseRoutes(services))
  app.route('/', outboxRoutes(services))
  return app
}
