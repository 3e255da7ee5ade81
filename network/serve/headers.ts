/**
 * No inline scripts, no plug-ins, no frames. Connections are open to any host: which client or node a person talks to is
 * theirs to say. Styles may be inline because the control library adds a style element of its own.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http://localhost:* http://127.0.0.1:*",
  "connect-src 'self' https: wss: ws: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const WITHOUT_GUESSING = { 'X-Content-Type-Options': 'nosniff' }

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  ...WITHOUT_GUESSING,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** A page and a worker obey the policy that they came with; scripts and sheets that of the page they are in. */
export const headersOf = (path: string): Readonly<Record<string, string>> =>
  /\.(?:js|css)$/.test(path) && !path.includes('.worker-') ? WITHOUT_GUESSING : SECURITY_HEADERS
