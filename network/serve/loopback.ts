import { LOOPBACK_NAMES } from '../loopback.ts'

/**
 * Only a page that this server itself served: its Origin is the very Host that it asks, and that is this computer by name,
 * at our port. The name of a stranger's site whose address was rebound to 127.0.0.1 is not.
 */
export const isOwnPage = (origin: string | undefined, host: string | undefined, port: number): boolean => {
  const hosts = LOOPBACK_NAMES.flatMap(name => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  const own = host?.toLowerCase()
  return own !== undefined && hosts.includes(own) && origin === `http://${own}`
}
