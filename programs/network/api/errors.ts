import type { ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** An error that routes throw. `sendError` answers with `{"error": text}`. */
export function refusal(status: ContentfulStatusCode, text: string): HTTPException {
  return new HTTPException(status, { message: text })
}

export function sendError(report: (line: string) => void): ErrorHandler {
  return (error, context) => {
    if (error instanceof HTTPException) return context.json({ error: error.message }, error.status)
    // The client has disconnected.
    if ('code' in error && error.code === 'ECONNRESET') return context.json({ error: 'The request broke off' }, 400)
    report(`API: ${context.req.method} ${context.req.path} failed: ${error.stack ?? error.message}`)
    return context.json({ error: 'Internal server error' }, 500)
  }
}

export const sendNotFound: NotFoundHandler = context => context.json({ error: 'Not found' }, 404)
