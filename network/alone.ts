import { settle } from './options.ts'
import type { NetworkOptions } from './options.ts'
import { serveDashboard } from './serve/dashboard.ts'

/** A client that is started at the same time is there by then. */
const PATIENCE_MS = 5_000

/**
 * The dashboard without a network, with the settings that it was built with. Only one thing is told to the page: that this
 * server passes `/api/websocket` on to the client on this computer.
 */
export const serveAlone = async (
  given: NetworkOptions = {},
): Promise<{ dashboardUrl: string; stop(): Promise<void> }> => {
  const { port, dist, client, requestMs, report } = settle(given)
  const dashboard = await serveDashboard({
    port,
    folder: dist,
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
