declare const parsed: unique symbol

/** A parsed http or https URL without credentials: safe for `new URL` and `fetch`. */
export type WebUrl = string & { readonly [parsed]: 'web' }

/** A parsed ws or wss URL without credentials and fragment: safe for `new WebSocket`. */
export type SocketUrl = string & { readonly [parsed]: 'socket' }

/** Undefined for what is no URL. `URL.canParse` of Node.js 24 agrees to some long texts that `new URL` refuses. */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** `base`: the base of relative URLs. */
export function parseWebUrl(text: string, base?: string): WebUrl | undefined {
  return hrefOf(text, base, ['https:', 'http:']) as WebUrl | undefined
}

/** A base URL for paths: without trailing slash, query or fragment. */
export function parseBaseUrl(text: string, base?: string): WebUrl | undefined {
  const url = parseWebUrl(text, base)
  return url === undefined || /[?#]/.test(url) ? undefined : (url.replace(/\/+$/, '') as WebUrl)
}

export function parseSocketUrl(text: string, base?: string): SocketUrl | undefined {
  const href = hrefOf(text, base, ['wss:', 'ws:'])
  return href?.includes('#') === true ? undefined : (href as SocketUrl | undefined)
}

/** A base URL with a path appended. The parts of `path` must be escaped by `pathPart`. */
export function below(base: WebUrl, path: `/${string}`): WebUrl {
  return `${base}${path}` as WebUrl
}

/** The same URL with ws(s) instead of http(s). */
export function asSocketUrl(url: WebUrl): SocketUrl {
  return url.replace(/^http/, 'ws') as SocketUrl
}

/** The same URL with http(s) instead of ws(s). */
export function asWebUrl(url: SocketUrl): WebUrl {
  return url.replace(/^ws/, 'http') as WebUrl
}

/** An http(s) URL of the same host with another path. */
export function onSameHost(url: SocketUrl, path: `/${string}`): WebUrl {
  const { protocol, host } = new URL(url)
  return `${protocol === 'wss:' ? 'https' : 'http'}://${host}${path}` as WebUrl
}

/** As `encodeURIComponent`, but never throws: lone surrogates become U+FFFD. */
export function escapeText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}

/** As `escapeText`, but always one part of a path: `.` and `..` become U+FFFD. */
export function pathPart(text: string): string {
  return escapeText(text.replace(/^\.{1,2}$/, '\uFFFD'))
}

function hrefOf(text: string, base: string | undefined, protocols: readonly string[]): string | undefined {
  const url = parsedUrl(text, base)
  if (url === undefined || !protocols.includes(url.protocol)) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}
