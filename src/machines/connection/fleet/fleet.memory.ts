import { shardedGet } from '../../../folding/shared/sharded-map.ts'
import type { Clones } from '../../../folding/client/client-key.ts'
import type { RememberedClient } from './fleet.events.ts'
import type { FleetContext } from './fleet.context.ts'
import { hiddenIds, shownIds } from './fleet.roster.ts'

/** The ids that several computers had on the last visit. */
export function clonesRemembered(clients: readonly RememberedClient[]): Clones {
  return Object.fromEntries(
    clients.flatMap(({ id, kind, data, clone }) => {
      const ownId = kind === 'relay' ? id : data.info.id
      return clone === undefined || ownId === undefined ? [] : [[ownId, clone] as const]
    }),
  )
}

/**
 * The data of each client to show on the next visit until it connects: no log, no molecules. Secrets are in it; what
 * stores it removes them. Hidden direct connections are included, so that the next visit shows one client from its start, and clients that are put away.
 */
export function selectToRemember({
  context: { members, roster, clones },
}: {
  readonly context: FleetContext
}): readonly RememberedClient[] {
  const isKept = (id: string): boolean => members[id]?.kind === 'direct' || shardedGet(roster, id)?.isPutAway === true
  return [...shownIds(roster), ...[...hiddenIds(roster)].filter(isKept)].flatMap(id => {
    const member = members[id]
    if (member === undefined) return []
    const { name, heardAt, record } = member.ref.getSnapshot().context
    const clone = clones[shardedGet(roster, id)?.ownId ?? '']
    return heardAt === undefined || record.data === undefined
      ? []
      : [
          {
            id,
            kind: member.kind,
            name,
            at: heardAt,
            data: record.data,
            ...(clone === undefined ? {} : { clone }),
          },
        ]
  })
}
