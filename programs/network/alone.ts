import { resolveOptions, type NetworkOptions } from './options.ts'
import { directAddresses, serveDashboard } from '../host/dashboard.ts'

/** A client that is started at the same time is there by then. */
const START_TIMEOUT_MS = 5_000

/**
 * Serves the dashboard without a network, with its built-in settings except the direct addresses: this server forwards
 * `/api/websocket`, and `/clients/2/api/websocket` and so on, to the clients.
 */
export async function serveAlone(
  options: NetworkOptions = {},
): Promise<{ dashboardUrl: string; stop(): Promise<void> }> {
  const { port, listen, isPublished, dist, createPages, client, otherClients, requestMs, report } =
    resolveOptions(options)
  const dashboard = await serveDashboard({
    port,
    listen,
    isPublished,
    folder: dist,
    createPages,
    client,
    otherClients,
    report,
    requestMs,
    standIn: () => undefined,
    startTimeoutMs: START_TIMEOUT_MS,
    settings: () => ({ 'direct-address': directAddresses(otherClients.length) }),
  })
  await dashboard.findPeer()
  return { dashboardUrl: dashboard.url, stop: () => dashboard.stop() }
}
