import type { ClientData } from '../../../protocol/client-data.ts'
import type { Json } from '../../../protocol/json.ts'
import { withoutSecrets } from '../../../protocol/secret-names.ts'
import type { RememberedMachine } from './fleet.events.ts'
import type { FleetSnapshot } from './fleet.machine.ts'
import { hiddenIds, shownIds } from './fleet.roster.ts'

const stripped = new WeakMap<ClientData, ClientData>()

/** The same object for the same data, so that unchanged data is not written again. */
const withoutSecretsOf = (data: ClientData): ClientData => {
  const known = stripped.get(data) ?? (withoutSecrets(data as unknown as Json) as unknown as ClientData)
  stripped.set(data, known)
  return known
}

/**
 * The data of each machine to show on the next visit until it connects: no log, no molecules, no secrets. Hidden direct
 * connections are included, so that the next visit shows one machine from its start.
 */
export const selectToRemember = ({ context: { members, roster } }: FleetSnapshot): readonly RememberedMachine[] =>
  [...shownIds(roster), ...[...hiddenIds(roster)].filter(id => members[id]?.kind === 'direct')].flatMap(id => {
    const member = members[id]
    if (member === undefined) return []
    const { name, heardAt, record } = member.ref.getSnapshot().context
    return heardAt === undefined || record.data === undefined
      ? []
      : [{ id, kind: member.kind, name, at: heardAt, data: withoutSecretsOf(record.data) }]
  })
