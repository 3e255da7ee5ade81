import { resolveOptions } from './options.ts'
import type { NetworkOptions } from './options.ts'
import { serveDashboard } from './serve/dashboard.ts'

/** A client that is started at the same time is there by then. */
const PATIENCE_MS = 5_000

/**
 * Serves the dashboard without a network, with its built-in settings except the direct address: this server forwards
 * `/api/websocket` to the client on this computer.
 */
export const serveAlone = async (
  given: NetworkOptions = {},
): Promise<{ dashboardUrl: string; stop(): Promise<void> }> => {
  const { port, listen, dist, createPages, client, requestMs, report } = resolveOptions(given)
  const dashboard = await serveDashboard({
    port,
    listen,
    folder: dist,
    createPages,
    client,
    report,
    requestMs,
    standIn: () => undefined,
    patienceMs: PATIENCE_MS,
    settings: () => ({ 'direct-address': 'self' }),
  })
  await dashboard.findPeer()
  return { dashboardUrl: dashboard.url, stop: () => dashboard.stop() }
}
