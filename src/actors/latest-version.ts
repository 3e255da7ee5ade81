import type { ApiResult } from '../protocol/api-fault.ts'
import { decodeLatestVersion } from '../protocol/api.ts'
import { parseMessage } from '../protocol/json.ts'

/** The newest client's version, as '8.5.7', from the download host. */
export const fetchLatestVersion = async (fetch: typeof globalThis.fetch, url: string): Promise<ApiResult<string>> => {
  try {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    if (!response.ok) return { ok: false, fault: { kind: 'refused', status: response.status, message: response.statusText } }
    const parsed = parseMessage(await response.text())
    const version = parsed.ok ? decodeLatestVersion(parsed.value) : parsed
    return version.ok
      ? { ok: true, value: version.value.join('.') }
      : { ok: false, fault: { kind: 'unreadable', message: 'The list of versions has an unknown form.' } }
  } catch {
    return { ok: false, fault: { kind: 'unreachable', message: 'the download host cannot be reached' } }
  }
}
