import { shardedGet } from '../../../folding/shared/sharded-map.ts'
import { selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import type { HistoryReader } from './history.events.ts'

/** The clients that each reader wants to be asked: ids of connections. */
export type WantedClients = Readonly<Partial<Record<HistoryReader, readonly string[] | 'all'>>>

/** Named clients first. */
const READERS: readonly HistoryReader[] = ['unit', 'grid', 'charts', 'units']

/**
 * Of a longer list, at most so many clients are asked unless a person wants more: each sends up to 500 units through the
 * relay, about half a megabyte before compression.
 */
export const MOST_REQUESTED = 100

type Requests = { readonly wanted: WantedClients; readonly isUnlimited: boolean; readonly isPageHidden: boolean }

/** Whether clients of the account may be asked now. */
export function wantsMore({ wanted, isPageHidden }: Requests): boolean {
  return (
    !isPageHidden &&
    READERS.some(reader => wanted[reader] === 'all' || (wanted[reader] !== undefined && wanted[reader].length > 0))
  )
}

/**
 * The client of the account to ask next: wanted, connected, and not asked on this connection. Undefined when there is
 * none, or when enough clients were asked for readers of long lists.
 */
export function nextToRequest({ wanted, isUnlimited }: Requests, system: SiblingSystem): string | undefined {
  const fleet = siblingOf(system, 'fleet')?.getSnapshot()
  if (fleet === undefined) return undefined
  const { members, reports } = fleet.context
  const isRelayed = (id: string): boolean => Object.hasOwn(members, id) && members[id]?.kind === 'relay'
  const isAsked = (id: string): boolean => isRelayed(id) && members[id]?.ref.getSnapshot().context.collects === true
  const isDue = (id: string): boolean => isRelayed(id) && shardedGet(reports, id)?.isConnected === true && !isAsked(id)
  for (const reader of READERS) {
    const clients = wanted[reader] ?? []
    const ids = clients === 'all' ? selectShownIds('usual')(fleet) : clients
    if (!isUnlimited && isEnough(ids, isAsked)) continue
    const next = ids.find(isDue)
    if (next !== undefined) return next
  }
  return undefined
}

function isEnough(ids: readonly string[], isAsked: (id: string) => boolean): boolean {
  return ids.length > MOST_REQUESTED && ids.filter(isAsked).length >= MOST_REQUESTED
}
