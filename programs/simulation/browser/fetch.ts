import type { Answer, Internet } from '../internet/internet.ts'
import type { Realm } from '../realms/realm.ts'

/** Statuses that may have no body. */
const EMPTY = [101, 204, 205, 304]

/** Headers that a page may read of any answer. */
const SAFE = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]

function responseOf({ status, headers, body }: Answer): Response {
  return new Response(EMPTY.includes(status) ? null : new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
}

function headerOf({ headers }: Answer, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

function failed(): TypeError {
  return new TypeError('Failed to fetch')
}

/** What a page of an origin may read of an answer of another one. Throws where it may not. */
function readable(answer: Answer, origin: string, hasCredentials: boolean): Answer {
  const allowed = headerOf(answer, 'access-control-allow-origin')
  if (allowed !== origin && (hasCredentials || allowed !== '*')) throw failed()
  const exposed = (headerOf(answer, 'access-control-expose-headers') ?? '').toLowerCase().split(/\s*,\s*/)
  const names = new Set([...SAFE, ...exposed])
  return { ...answer, headers: answer.headers.filter(([name]) => names.has(name.toLowerCase())) }
}

/** Redirects are followed by no program of this world: that of another origin fails as it does under a page's policy. */
function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** `fetch` of a realm. `origin`: of a page, for relative addresses, the header, and what it may read. */
export function fetchOf(realm: Realm, internet: Internet, origin?: string): typeof fetch {
  return async (input, init) => {
    const { signal, ...rest } = init ?? {}
    const request = new Request(input instanceof Request ? input : new URL(input, origin), rest)
    signal?.throwIfAborted()
    const address = new URL(request.url)
    const bytes = Buffer.from(await request.arrayBuffer())
    const isForeign = origin !== undefined && address.origin !== origin
    // A browser says nothing of its page in a request whose answer is not read.
    const isOpaque = isForeign && request.mode === 'no-cors'
    const asked = internet
      .call(realm, address, {
        method: request.method,
        path: address.pathname + address.search,
        headers: {
          ...Object.fromEntries(request.headers),
          host: address.host,
          ...(origin === undefined || isOpaque ? {} : { origin }),
        },
        body: bytes.length === 0 ? undefined : bytes,
        isAborted: () => signal?.aborted === true,
      })
      .then(answer => {
        if (isRedirect(answer) && origin !== undefined) throw failed()
        if (isOpaque) return { status: 200, headers: [], body: Buffer.alloc(0) }
        return isForeign ? readable(answer, origin, request.credentials === 'include') : answer
      })
    if (!(signal instanceof AbortSignal)) return responseOf(await asked)
    return responseOf(
      await new Promise<Answer>((resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error)
        signal.addEventListener('abort', abort, { once: true })
        // While the request was read.
        if (signal.aborted) abort()
        asked.then(resolve, reject)
        void asked.finally(() => signal.removeEventListener('abort', abort)).catch(() => undefined)
      }),
    )
  }
}
