export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether a Host header names this computer, whatever the port. A stranger's name that was rebound to 127.0.0.1 does not. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAMES.some(name => name === host.toLowerCase().replace(/:\d+$/, ''))
