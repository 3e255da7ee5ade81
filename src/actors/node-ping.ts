import { onSameHost, type SocketUrl } from '../protocol/url.ts'

/**
 * Asks whether a relay's host answers at all, before the socket is tried again (docs/product.md §4). The answer changes
 * nothing: what matters is that the browser resolves the name and checks the certificate anew.
 */
export const pingNode =
  ({ fetch, timeout }: { readonly fetch: typeof globalThis.fetch; readonly timeout: number }) =>
  async (url: SocketUrl, signal: AbortSignal): Promise<undefined> => {
    await fetch(onSameHost(url, '/ping'), {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    }).catch(() => undefined)
    return undefined
  }
