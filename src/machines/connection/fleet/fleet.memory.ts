import type { ClientData } from '../../../protocol/client-data.ts'
import type { Json } from '../../../protocol/json.ts'
import { withoutSecrets } from '../../../protocol/secret-names.ts'
import type { RememberedMachine } from './fleet.events.ts'
import type { FleetSnapshot } from './fleet.machine.ts'
import { shownIds } from './fleet.roster.ts'

const told = new WeakMap<ClientData, ClientData>()

/** The same object for the same data, so that nothing that stands still is written again. */
const withoutSecretsOf = (data: ClientData): ClientData => {
  const known = told.get(data) ?? (withoutSecrets(data as unknown as Json) as unknown as ClientData)
  told.set(data, known)
  return known
}

/** What may be shown of each machine on the next visit, until it is reached: no log, no molecules, no secrets. */
export const selectToRemember = ({ context: { members, roster } }: FleetSnapshot): readonly RememberedMachine[] =>
  shownIds(roster).flatMap(id => {
    const member = members[id]
    if (member === undefined) return []
    const { name, heardAt, record } = member.ref.getSnapshot().context
    return heardAt === undefined || record.data === undefined
      ? []
      : [{ id, kind: member.kind, name, at: heardAt, data: withoutSecretsOf(record.data) }]
  })
