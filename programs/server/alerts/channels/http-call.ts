import { retryAfterOf } from '../../../../src/folding/shared/back-off.ts'
import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import { ATTEMPT_MS } from './channel.ts'

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** Bytes of an answer that are read, so that the connection can be used again; more close it. */
const MOST_ANSWER_BYTES = 65_536

/** Failures before a request can have been sent: no address, no connection, no trusted certificate, a port that `fetch` never calls. */
const NOT_SENT =
  /^(?:the connection failed|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_\w+)$/

/**
 * Calls an address of the settings. Follows no redirects, so that nothing is sent elsewhere; reads little of the answer.
 * Never rejects. `what`: the receiver, for the reasons of failures.
 */
export async function callHttp(
  what: string,
  url: string,
  {
    onStatus,
    ...init
  }: {
    readonly method: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string | Uint8Array<ArrayBuffer>
    /** Called with the status of the answer. */
    readonly onStatus?: (status: number) => void
  },
  now: () => number = Date.now,
): Promise<Attempt> {
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ATTEMPT_MS) })
  } catch (error) {
    const failure = failureOf(error)
    if (NOT_SENT.test(failure)) return { kind: 'failed', reason: `${what} cannot be reached: ${failure}` }
    return { kind: 'unknown', reason: `${what} did not answer: ${failure}` }
  }
  const { status, headers } = response
  onStatus?.(status)
  const failure = await skipBody(response).then(() => undefined, failureOf)
  if (response.ok) {
    if (failure === undefined) return { kind: 'sent' }
    return { kind: 'unknown', reason: `${what} answered with status ${status}, but not to the end: ${failure}` }
  }
  const reason = `${what} answered with status ${status}`
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const wait = retryAfterOf(headers.get('retry-after'), now())
    return { kind: 'failed', reason, ...(wait === undefined ? {} : { wait }) }
  }
  return { kind: 'refused', reason: status >= 300 && status < 400 ? `${reason}, a redirect` : reason }
}

async function skipBody(response: Response): Promise<void> {
  const reader = response.body?.getReader()
  let bytes = 0
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > MOST_ANSWER_BYTES) {
      await reader?.cancel()
      return
    }
  }
}

/** The code of a failed connection. Messages of errors may hold the address, which may hold a secret. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const cause: unknown = error.cause
  const code: unknown = Reflect.get(error, 'code') ?? (cause instanceof Error ? Reflect.get(cause, 'code') : undefined)
  return typeof code === 'string' && /^[A-Z\d_]{1,60}$/.test(code) ? code : 'the connection failed'
}
