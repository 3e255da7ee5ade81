/** What one server holds besides clients: schedules, incidents and alerts, the account, and roll-ups of the history. */
export const COORDINATION = 'coordination'

export type HoldingsInput = {
  readonly server: string
  /** Leases that are not over, this one among them. */
  readonly servers: readonly string[]
  /** Which lease holds what, of those that are not over. */
  readonly holders: ReadonlyMap<string, string>
  /** The clients of the settings, by their addresses. */
  readonly machines: readonly string[]
}

export type HoldingsPlan = {
  /** Resources without a holder, which this server takes. */
  readonly claims: readonly string[]
  /** What this server gives up: more than its share, or no longer in its settings. */
  readonly releases: readonly string[]
}

/**
 * How one server comes nearer to an even share of the clients. Each server decides for itself, one after another. The shares
 * add up to all clients, and of unequal shares those that hold most have the larger ones: so nothing goes back and forth.
 */
export function planHoldings({ server, servers, holders, machines: clients }: HoldingsInput): HoldingsPlan {
  const listed = new Set(clients)
  const counts = new Map<string, number>()
  for (const [resource, holder] of holders) if (listed.has(resource)) counts.set(holder, (counts.get(holder) ?? 0) + 1)
  const count = (of: string): number => counts.get(of) ?? 0
  const isBefore = (other: string): boolean =>
    count(other) > count(server) || (count(other) === count(server) && other < server)
  const rank = servers.filter(isBefore).length
  const each = Math.max(1, servers.length)
  const share = Math.floor(clients.length / each) + (rank < clients.length % each ? 1 : 0)
  const held = [...holders].flatMap(([resource, holder]) => (holder === server ? [resource] : []))
  const retained = held.filter(resource => listed.has(resource))
  const foreign = held.filter(resource => resource !== COORDINATION && !listed.has(resource))
  const free = clients.filter(client => !holders.has(client)).slice(0, Math.max(0, share - retained.length))
  return {
    claims: [...(holders.has(COORDINATION) ? [] : [COORDINATION]), ...free],
    releases: [...foreign, ...retained.slice(share)],
  }
}
