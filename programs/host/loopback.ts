export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether an IP address is of this computer only. */
export function isLoopbackAddress(address: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(address) || address === '::1' || address === '::ffff:127.0.0.1'
}

/** Whether a Host header names this computer, on any port. False for a host name that was rebound to 127.0.0.1. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_NAMES.some(name => name === host.toLowerCase().replace(/:\d+$/, ''))
}

/**
 * Whether a request comes from a page of these origins, or not from a page: only browsers send an Origin. The Host must
 * name this computer.
 */
export function isKnownCaller(
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  allowedOrigins: readonly string[],
): boolean {
  return isLoopbackHost(host) && (origin === undefined || allowedOrigins.includes(origin))
}

/**
 * Whether a request comes from a page of this server: its Origin equals its Host, which names this computer and this
 * port. False for a host name that was rebound to 127.0.0.1.
 */
export function isOwnPage(origin: string | undefined, host: string | undefined, port: number): boolean {
  const hosts = LOOPBACK_NAMES.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  const ownHost = host?.toLowerCase()
  return ownHost !== undefined && hosts.includes(ownHost) && origin === `http://${ownHost}`
}
