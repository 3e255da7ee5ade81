export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether a Host header names this computer, whatever the port. A stranger's name that was rebound to 127.0.0.1 does not. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAMES.some(name => name === host.toLowerCase().replace(/:\d+$/, ''))

/**
 * Whether a request comes from a page of these origins, or from no page at all: only browsers send an Origin. The request
 * must ask for this computer by its own name.
 */
export const isKnownCaller = (
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  allowedOrigins: readonly string[],
): boolean => isLoopbackHost(host) && (origin === undefined || allowedOrigins.includes(origin))

/**
 * Only a page that this server itself served: its Origin is the very Host that it asks, and that is this computer by name,
 * at our port. The name of a stranger's site whose address was rebound to 127.0.0.1 is not.
 */
export const isOwnPage = (origin: string | undefined, host: string | undefined, port: number): boolean => {
  const hosts = LOOPBACK_NAMES.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  const own = host?.toLowerCase()
  return own !== undefined && hosts.includes(own) && origin === `http://${own}`
}
