import { onSameHost, type SocketUrl } from '../protocol/url.ts'

/**
 * Requests the host of a socket before the socket is opened again (docs/product.md §4). Any answer will do; it fails without one.
 * The request also makes the browser resolve the name and check the certificate again.
 */
export function pingHost({ fetch, timeout }: { readonly fetch: typeof globalThis.fetch; readonly timeout: number }) {
  return async (url: SocketUrl, signal: AbortSignal): Promise<undefined> => {
    await fetch(onSameHost(url, '/ping'), {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    })
    return undefined
  }
}
