import * as v from 'valibot'
import { readBoundedText } from '../limits.ts'

export type CallDeps = { readonly fetch: typeof globalThis.fetch }

export type Got = { readonly status: number; readonly content: unknown }

const TIMEOUT_MS = 15_000

/** Calls the HTTP API of the server that serves this page. Undefined when it does not answer with JSON. Never rejects. */
export async function callServer(
  { fetch }: CallDeps,
  path: string,
  body?: object,
  timeout = TIMEOUT_MS,
): Promise<Got | undefined> {
  try {
    const response = await fetch(path, {
      signal: AbortSignal.timeout(timeout),
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await readBoundedText(response)
    return text === undefined ? undefined : { status: response.status, content: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

const refusal = v.object({ error: v.pipe(v.string(), v.maxLength(500)) })

/** Why the server refused a call. */
export function refusalOf({ status, content }: Got): string {
  const error = v.safeParse(refusal, content)
  return error.success ? error.output.error : `HTTP ${status}`
}
