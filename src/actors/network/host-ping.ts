import type { WebUrl } from '../../protocol/url.ts'

/**
 * Requests the host of a socket before the socket is opened again (docs/product.md §4). Any answer will do; it fails without one.
 * A request that may not be read is redirected in silence, so the address must be one that leads to no other site. The request also makes the browser resolve the name and check the certificate again.
 */
export function pingHost({ fetch, timeout }: { readonly fetch: typeof globalThis.fetch; readonly timeout: number }) {
  return async (address: WebUrl, signal: AbortSignal): Promise<undefined> => {
    await fetch(address, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    })
    return undefined
  }
}
