import type { Answer, Internet } from '../internet/internet.ts'
import type { Realm } from '../realms/realm.ts'

/** Statuses that may have no body. */
const EMPTY = [101, 204, 205, 304]

const responseOf = ({ status, headers, body }: Answer): Response =>
  new Response(EMPTY.includes(status) ? null : new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })

/** `fetch` of a realm. `origin`: of a page, for relative addresses and the header. */
export const fetchOf =
  (realm: Realm, internet: Internet, origin?: string): typeof fetch =>
  async (input, init) => {
    const { signal, ...rest } = init ?? {}
    const request = new Request(input instanceof Request ? input : new URL(input, origin), rest)
    signal?.throwIfAborted()
    const address = new URL(request.url)
    const bytes = Buffer.from(await request.arrayBuffer())
    const asked = internet.call(realm, address, {
      method: request.method,
      path: address.pathname + address.search,
      headers: {
        ...Object.fromEntries(request.headers),
        host: address.host,
        ...(origin === undefined ? {} : { origin }),
      },
      body: bytes.length === 0 ? undefined : bytes,
    })
    if (!(signal instanceof AbortSignal)) return responseOf(await asked)
    return responseOf(
      await new Promise<Answer>((resolve, reject) => {
        const abort = (): void => reject(signal.reason as Error)
        signal.addEventListener('abort', abort, { once: true })
        asked.then(resolve, reject)
        void asked.finally(() => signal.removeEventListener('abort', abort)).catch(() => undefined)
      }),
    )
  }
