const NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * The Host that a page was asked on, when it is this computer by name and our port; undefined for any other, such as the
 * name of a stranger's site whose address was rebound to 127.0.0.1.
 */
export const loopbackHost = (host: string | undefined, port: number): string | undefined => {
  const hosts = NAMES.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return host !== undefined && hosts.includes(host.toLowerCase()) ? host.toLowerCase() : undefined
}

/** Only a page that this server itself served: its Origin is the very Host that it asks. */
export const isOwnPage = (origin: string | undefined, host: string | undefined, port: number): boolean => {
  const own = loopbackHost(host, port)
  return own !== undefined && origin === `http://${own}`
}
