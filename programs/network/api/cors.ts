import type { Context, MiddlewareHandler } from 'hono'
import { isLoopbackHost } from '../../host/loopback.ts'
import type { ApiServices } from './context.ts'

/**
 * Whether the request is for an image, a frame or a navigation, which any page may cause for any URL, without an Origin
 * header. Calls of the API are never made this way.
 */
export function isEmbedded(context: Context): boolean {
  const mode = context.req.header('Sec-Fetch-Mode')
  return context.req.header('Origin') === undefined && (mode === 'no-cors' || mode === 'navigate')
}

/**
 * Accepts pages of known origins only, with credentials. Requests of other pages are rejected without effect. A request
 * without an Origin is not from a page.
 */
export function onlyKnownOrigins({ allowedOrigins }: ApiServices): MiddlewareHandler {
  return async (context, next) => {
    // The Host header must name this computer, against DNS rebinding.
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
}
