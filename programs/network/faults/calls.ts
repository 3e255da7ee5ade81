import { setTimeout as pause } from 'node:timers/promises'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { chance, chanceBetween } from '../clients/random.ts'
import type { CallFault, Shares } from './kinds.ts'
import { garbled, truncated } from './texts.ts'

type Bindings = HttpBindings | Http2Bindings
export type Handler = (request: Request, bindings: Bindings) => Response | Promise<Response>

export type CallOptions = {
  readonly seed: number
  readonly shares: () => Shares<CallFault>
  /** Offset of the server's clock in ms. */
  readonly ahead: () => number
}

const SHORTEST_MS = 100
const LONGEST_MS = 1_500
const PORTAL_PAGE = '<!doctype html><title>Welcome</title><h1>Accept our terms to go on</h1>'

/** The CORS headers that let pages read the answer, taken from the answer to an unknown path. */
async function headersFor(answer: Handler, request: Request, bindings: Bindings): Promise<Headers> {
  const { headers } = await answer(
    new Request(new URL('/nothing', request.url), { headers: request.headers }),
    bindings,
  )
  return headers
}

async function withBody(response: Response, change: (text: string) => string): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  return new Response(change(await response.text()), { status: response.status, headers })
}

function instead(headers: Headers, status: number, type: string, body: string): Response {
  const newHeaders = new Headers(headers)
  newHeaders.delete('Content-Length')
  newHeaders.set('Content-Type', type)
  return new Response(body, { status, headers: newHeaders })
}

/** Applies the active faults to the calls of an API. Half of the calls that fail have had their effect. */
export function withFaults(answer: Handler, { seed, shares, ahead }: CallOptions): Handler {
  let call = 0

  const applyFault = async (
    fault: CallFault,
    callNumber: number,
    request: Request,
    bindings: Bindings,
  ): Promise<Response> => {
    const hasEffect = chance(seed, callNumber, 'effect') < 0.5
    const headers = async (): Promise<Headers> =>
      hasEffect ? (await answer(request, bindings)).headers : headersFor(answer, request, bindings)
    switch (fault) {
      case 'drop':
        if (hasEffect) await answer(request, bindings)
        bindings.outgoing.destroy()
        return new Response(null)
      case 'delay':
        await pause(chanceBetween(SHORTEST_MS, LONGEST_MS, seed, callNumber, 'length'))
        return answer(request, bindings)
      case 'truncate':
        return withBody(await answer(request, bindings), text => truncated(text, seed + callNumber))
      case 'garble':
        return withBody(await answer(request, bindings), text => garbled(text, seed + callNumber))
      case 'error':
        return instead(await headers(), 500, 'application/json', '{"error":"Internal server error"}')
      case 'html':
        return instead(await headers(), 200, 'text/html; charset=utf-8', PORTAL_PAGE)
    }
  }

  return async (request, bindings) => {
    call += 1
    const callNumber = call
    const fault =
      request.method === 'OPTIONS'
        ? undefined
        : [...shares()].find(([kind, share]) => chance(seed, callNumber, kind) < share)?.[0]
    const response =
      fault === undefined ? await answer(request, bindings) : await applyFault(fault, callNumber, request, bindings)
    if (ahead() === 0) return response
    const headers = new Headers(response.headers)
    headers.set('Date', new Date(Date.now() + ahead()).toUTCString())
    return new Response(response.body, { status: response.status, headers })
  }
}
