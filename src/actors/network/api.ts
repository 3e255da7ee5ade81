import { t } from '@lingui/core/macro'
import type { ApiFault, ApiResult } from '../../protocol/api/api-fault.ts'
import { parseMessage, type Json, type JsonObject } from '../../protocol/json.ts'
import { retryAfterOf } from '../../folding/shared/back-off.ts'
import { below, type WebUrl } from '../../protocol/url.ts'
import { good, type Result } from '../../protocol/fault.ts'
import { readBoundedText, TOO_LARGE_ANSWER } from '../limits.ts'

/** Milliseconds. */
const TIME_TIMEOUT = 5000

export type ApiDeps = {
  readonly fetch: typeof globalThis.fetch
  readonly baseUrl: WebUrl
  /** The session id of the signed-in user. */
  readonly session: () => string | undefined
  /** The server's clock minus ours, wherever its `Date` can be read, and by how much that may be wrong: milliseconds. */
  readonly compareClock: (offset: number, within: number) => void
  readonly now: () => number
  /** Milliseconds after which an unanswered call has failed. */
  readonly timeout: number
}

export type ApiCall = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: `/${string}`
  /** GET and DELETE send it as query, the others as JSON (docs/product.md §7). */
  readonly data?: JsonObject
  /** Used instead of `ApiDeps.session`: that of a sign-in or sign-out in progress. */
  readonly session?: string
  readonly signal?: AbortSignal
}

export type Api = <T>(call: ApiCall, decode: (json: Json) => Result<T>) => Promise<ApiResult<T>>

/** Calls of the account API. Every answer is decoded; nothing is cached or logged. */
export function createApi(deps: ApiDeps): Api {
  return async (call, decode) => {
    const answer = await request(deps, call)
    if (!answer.ok) return answer
    const { status, text, retryAfter } = answer.value
    const parsed = parseMessage(text === '' ? 'null' : text)
    if (status >= 400)
      return {
        ok: false,
        fault: {
          kind: 'refused',
          status,
          message: errorTextOf(parsed, status),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      }
    if (!parsed.ok) return unreadable(t`The answer is not JSON.`)
    const decoded = decode(parsed.value)
    return decoded.ok ? { ok: true, value: decoded.value } : unreadable(t`The answer has an unknown form.`)
  }
}

type Answer = { readonly status: number; readonly text: string; readonly retryAfter: number | undefined }

async function request(deps: ApiDeps, call: ApiCall): Promise<ApiResult<Answer>> {
  const inQuery = call.method === 'GET' || call.method === 'DELETE'
  const session = call.session ?? deps.session()
  const signals = [AbortSignal.timeout(deps.timeout), ...(call.signal === undefined ? [] : [call.signal])]
  try {
    const sentAt = deps.now()
    const response = await deps.fetch(addressOf(deps.baseUrl, call.path, inQuery ? call.data : undefined), {
      method: call.method,
      credentials: 'include',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any(signals),
      headers: {
        ...(session === undefined ? {} : { Authorization: session }),
        ...(inQuery || call.data === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(inQuery || call.data === undefined ? {} : { body: JSON.stringify(call.data) }),
    })
    learnClock(deps, response.headers.get('Date'), sentAt)
    const retryAfter = retryAfterOf(response.headers.get('Retry-After'), deps.now())
    const text = await readBoundedText(response)
    return text === undefined
      ? unreadable(TOO_LARGE_ANSWER)
      : { ok: true, value: { status: response.status, text, retryAfter } }
  } catch (error) {
    return { ok: false, fault: { kind: 'unreachable', message: reasonOf(error) } }
  }
}

/** Requests a small public resource for the `Date` header of its answer. What is asked for by a person may wait for it. */
export async function askTime(api: Api): Promise<undefined> {
  await api({ method: 'GET', path: '/project/cause', signal: AbortSignal.timeout(TIME_TIMEOUT) }, good)
  return undefined
}

function addressOf(baseUrl: WebUrl, path: `/${string}`, query: JsonObject | undefined): WebUrl {
  const entries = Object.entries(query ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const search = new URLSearchParams(entries).toString()
  return below(baseUrl, search === '' ? path : `${path}?${search}`)
}

/**
 * Adds half a second, since `Date` has whole seconds, and takes the middle of the round trip. One that
 * ended before it began, or took longer than calls may take, is of a clock that was set meanwhile.
 */
function learnClock({ compareClock, now, timeout }: ApiDeps, date: string | null, sentAt: number): void {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  const answeredAt = now()
  const trip = answeredAt - sentAt
  if (Number.isFinite(theirs) && trip >= 0 && trip <= timeout)
    compareClock(theirs + 500 - (sentAt + answeredAt) / 2, 500 + trip / 2)
}

function errorTextOf(parsed: Result<Json>, status: number): string {
  const fallback = t`The server answered with status ${status}.`
  if (!parsed.ok || parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value))
    return fallback
  const { error } = parsed.value as JsonObject
  return typeof error === 'string' && error !== '' ? error : fallback
}

function reasonOf(error: unknown): string {
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? t`no answer in time`
    : t`the server cannot be reached`
}

function unreadable(message: string): { ok: false; fault: ApiFault } {
  return {
    ok: false,
    fault: { kind: 'unreadable', message },
  }
}
