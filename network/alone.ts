import { resolveOptions } from './options.ts'
import type { NetworkOptions } from './options.ts'
import { serveDashboard } from './serve/dashboard.ts'

/**
 * The dashboard without a network, with the settings that it was built with. Only one thing is told to the page: that this
 * server passes `/api/websocket` on to the client on this computer.
 */
export const serveAlone = async (
  given: NetworkOptions = {},
): Promise<{ dashboardUrl: string; stop(): Promise<void> }> => {
  const { port, dist, createPages, client, requestMs, report } = resolveOptions(given)
  const dashboard = await serveDashboard({
    port,
    folder: dist,
    createPages,
    client,
    report,
    requestMs,
    standIn: () => undefined,
    settings: () => ({ 'direct-address': 'self' }),
  })
  await dashboard.findPeer()
  return { dashboardUrl: dashboard.url, stop: () => dashboard.stop() }
}
