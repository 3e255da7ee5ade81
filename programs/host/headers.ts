/**
 * No inline scripts, plug-ins and frames. Connections to any host are allowed, since users choose their clients and
 * relay nodes. Styles may be inline because React Aria adds a style element. It is also a `<meta>` tag of the built pages,
 * for hosts that send no headers. A tag cannot have frame-ancestors.
 */
export const META_CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http://localhost:* http://127.0.0.1:*",
  "connect-src 'self' https: wss: ws: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const CONTENT_SECURITY_POLICY = `${META_CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`

const WITHOUT_GUESSING = { 'X-Content-Type-Options': 'nosniff' }

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  ...WITHOUT_GUESSING,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** Pages and workers need a policy of their own; scripts and style sheets use that of their page. */
export function headersOf(path: string): Readonly<Record<string, string>> {
  return /\.(?:js|css)$/.test(path) && !/\.worker-|^\/service-worker\.js$/.test(path)
    ? WITHOUT_GUESSING
    : SECURITY_HEADERS
}
