import type { Context, MiddlewareHandler } from 'hono'
import { isLoopbackHost } from '../loopback.ts'
import type { ApiServices } from './context.ts'

/**
 * A request by which a page shows a picture or a frame, or follows a link: every page may make those, of any address, and
 * they carry no Origin. Calls of this API are never made so.
 */
export const isEmbedded = (context: Context): boolean => {
  const mode = context.req.header('Sec-Fetch-Mode')
  return context.req.header('Origin') === undefined && (mode === 'no-cors' || mode === 'navigate')
}

/**
 * Pages of known origins only, with credentials; the answer to another page's request carries nothing that lets it be
 * read, and the request itself has no effect. A request without an Origin does not come from a page.
 */
export const onlyKnownOrigins =
  ({ allowedOrigins }: ApiServices): MiddlewareHandler =>
  async (context, next) => {
    // The name under which this computer is asked: a site whose name was rebound to 127.0.0.1 is a stranger too.
    if (!isLoopbackHost(context.req.header('Host'))) return context.body(null, 403)
    const origin = context.req.header('Origin')
    context.header('Vary', 'Origin')
    if (origin === undefined) return next()
    if (!allowedOrigins.includes(origin)) return context.body(null, 403)
    context.header('Access-Control-Allow-Origin', origin)
    context.header('Access-Control-Allow-Credentials', 'true')
    context.header('Access-Control-Expose-Headers', 'Date, Retry-After')
    if (context.req.method !== 'OPTIONS') return next()
    context.header('Access-Control-Allow-Methods', 'GET, PUT, POST, DELETE')
    context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    context.header('Access-Control-Max-Age', '600')
    return context.body(null, 204)
  }
