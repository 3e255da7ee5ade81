declare const parsed: unique symbol

/** An http or https URL that the browser's own parser took, without credentials: `new URL` and `fetch` accept it. */
export type WebUrl = string & { readonly [parsed]: 'web' }

/** A ws or wss URL of the same kind, without a fragment: `new WebSocket` accepts it. */
export type SocketUrl = string & { readonly [parsed]: 'socket' }

/** `base`: what a relative text is relative to. */
export const parseWebUrl = (text: string, base?: string): WebUrl | undefined =>
  hrefOf(text, base, ['https:', 'http:']) as WebUrl | undefined

/** An address that paths are put after: without a slash at its end, a query or a fragment. */
export const parseBaseUrl = (text: string, base?: string): WebUrl | undefined => {
  const url = parseWebUrl(text, base)
  return url === undefined || /[?#]/.test(url) ? undefined : (url.replace(/\/+$/, '') as WebUrl)
}

export const parseSocketUrl = (text: string, base?: string): SocketUrl | undefined => {
  const href = hrefOf(text, base, ['wss:', 'ws:'])
  return href?.includes('#') === true ? undefined : (href as SocketUrl | undefined)
}

/** A place below what `parseBaseUrl` gave. `path` begins with a slash; its parts have been through `pathPart`. */
export const below = (base: WebUrl, path: `/${string}`): WebUrl => `${base}${path}` as WebUrl

/** The socket of a host that speaks HTTP as well. */
export const asSocketUrl = (url: WebUrl): SocketUrl => url.replace(/^http/, 'ws') as SocketUrl

/** The same host over HTTP, with this path alone. */
export const onSameHost = (url: SocketUrl, path: `/${string}`): WebUrl => {
  const { protocol, host } = new URL(url)
  return `${protocol === 'wss:' ? 'https' : 'http'}://${host}${path}` as WebUrl
}

/** As `encodeURIComponent`, which throws for half of a surrogate pair: names come from outside. */
export const pathPart = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))

const hrefOf = (text: string, base: string | undefined, protocols: readonly string[]): string | undefined => {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  if (url === undefined || !protocols.includes(url.protocol)) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}
