import type { LeaseSnapshot } from './lease.machine.ts'

/** The holder of a resource: `here`, the address of another server, or undefined when none is known. */
export function selectHolder({ context }: LeaseSnapshot, resource: string): string | undefined {
  const { holdings } = context
  const holder = holdings?.holders.get(resource)
  if (holdings === undefined || holder === undefined) return undefined
  if (holder === holdings.server) return holdings.releases.includes(resource) ? undefined : 'here'
  return holdings.servers.find(({ id }) => id === holder)?.url
}

/** The lease that writes need; undefined while there is none. */
export function selectLease({ context }: LeaseSnapshot): string | undefined {
  return context.holdings?.server
}

/** Whether a server has other clients in its settings: the same numbers would be different clients. */
export function selectHasOtherSettings({ context }: LeaseSnapshot): boolean {
  return new Set(context.holdings?.servers.map(({ settings }) => settings)).size > 1
}
