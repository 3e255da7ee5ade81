import { t } from '@lingui/core/macro'
import { retryAfterOf } from '../../folding/shared/back-off.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import type { Result } from '../../protocol/fault.ts'
import type { WebUrl } from '../../protocol/url.ts'
import { parseMessage, type Json } from '../../protocol/json.ts'
import { readBoundedText, TOO_LARGE_ANSWER } from '../limits.ts'

const TIMEOUT = 30_000

/** A call without session, cookies or referrer. `credentials`: for the server of this page. */
export async function fetchPublic<T>(
  {
    fetch,
    now,
    credentials = 'omit',
  }: {
    readonly fetch: typeof globalThis.fetch
    readonly now: () => number
    readonly credentials?: RequestCredentials
  },
  url: WebUrl,
  decode: (json: Json) => Result<T>,
): Promise<ApiResult<T>> {
  try {
    const response = await fetch(url, {
      credentials,
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const retryAfter = retryAfterOf(response.headers.get('Retry-After'), now())
    if (!response.ok)
      return {
        ok: false,
        fault: {
          kind: 'refused',
          status: response.status,
          message: t`The server answered with status ${response.status}.`,
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      }
    const text = await readBoundedText(response)
    if (text === undefined) return { ok: false, fault: { kind: 'unreadable', message: TOO_LARGE_ANSWER } }
    const parsed = parseMessage(text)
    const decoded = parsed.ok ? decode(parsed.value) : parsed
    return decoded.ok
      ? { ok: true, value: decoded.value }
      : { ok: false, fault: { kind: 'unreadable', message: t`The answer has an unknown form.` } }
  } catch {
    return { ok: false, fault: { kind: 'unreachable', message: t`the server cannot be reached` } }
  }
}
