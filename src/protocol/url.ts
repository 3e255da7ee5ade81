declare const parsed: unique symbol

/** A parsed http or https URL without credentials: safe for `new URL` and `fetch`. */
export type WebUrl = string & { readonly [parsed]: 'web' }

/** A parsed ws or wss URL without credentials and fragment: safe for `new WebSocket`. */
export type SocketUrl = string & { readonly [parsed]: 'socket' }

/** Undefined for what is no URL. `URL.canParse` of Node.js 24 agrees to some long texts that `new URL` refuses. */
export const parsedUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** `base`: the base of relative URLs. */
export const parseWebUrl = (text: string, base?: string): WebUrl | undefined =>
  hrefOf(text, base, ['https:', 'http:']) as WebUrl | undefined

/** A base URL for paths: without trailing slash, query or fragment. */
export const parseBaseUrl = (text: string, base?: string): WebUrl | undefined => {
  const url = parseWebUrl(text, base)
  return url === undefined || /[?#]/.test(url) ? undefined : (url.replace(/\/+$/, '') as WebUrl)
}

export const parseSocketUrl = (text: string, base?: string): SocketUrl | undefined => {
  const href = hrefOf(text, base, ['wss:', 'ws:'])
  return href?.includes('#') === true ? undefined : (href as SocketUrl | undefined)
}

/** A base URL with a path appended. The parts of `path` must be escaped by `pathPart`. */
export const below = (base: WebUrl, path: `/${string}`): WebUrl => `${base}${path}` as WebUrl

/** The same URL with ws(s) instead of http(s). */
export const asSocketUrl = (url: WebUrl): SocketUrl => url.replace(/^http/, 'ws') as SocketUrl

/** An http(s) URL of the same host with another path. */
export const onSameHost = (url: SocketUrl, path: `/${string}`): WebUrl => {
  const { protocol, host } = new URL(url)
  return `${protocol === 'wss:' ? 'https' : 'http'}://${host}${path}` as WebUrl
}

/** As `encodeURIComponent`, but never throws: lone surrogates become U+FFFD. */
export const escapeText = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))

/** As `escapeText`, but always one part of a path: `.` and `..` become U+FFFD. */
export const pathPart = (text: string): string => escapeText(text.replace(/^\.{1,2}$/, '\uFFFD'))

const hrefOf = (text: string, base: string | undefined, protocols: readonly string[]): string | undefined => {
  const url = parsedUrl(text, base)
  if (url === undefined || !protocols.includes(url.protocol)) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}
