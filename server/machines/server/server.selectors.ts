import type { SnapshotFrom } from 'xstate'
import { DIRECT_ID } from '../../../src/folding/machine/client.ts'
import type { ClientData } from '../../../src/protocol/client-data.ts'
import { shardedGet } from '../../../src/folding/shared/sharded-map.ts'
import { emptySummary, type Summary } from '../../../src/folding/machine/totals.ts'
import type { fleetMachine } from '../../../src/machines/connection/fleet/fleet.machine.ts'
import type { ProblemLevel } from '../../../src/folding/machine/badges.ts'

export type FleetSnapshot = SnapshotFrom<typeof fleetMachine>

/** What is known of a machine now. */
export type MachineState = {
  /** The client's own name, else its address; other machines may have it too. */
  readonly name: string
  /** The key of the machine (`machineKey`), once the client has sent its id. */
  readonly id: string | undefined
  readonly isConnected: boolean
  readonly problem: ProblemLevel
  readonly summary: Summary
  /** Its last known state; undefined before the first connection. */
  readonly data: ClientData | undefined
  /** When its last message arrived: epoch milliseconds. */
  readonly lastMessageAt: number | undefined
}

/** The machine of a connection, by its id in the fleet; `address`: its name until it has told its own. Undefined for others. */
export const selectMember = ({ context }: FleetSnapshot, id: string, address: string): MachineState | undefined => {
  const member = context.members[id]
  if (member === undefined || id === DIRECT_ID) return undefined
  const client = member.ref.getSnapshot().context
  const report = shardedGet(context.reports, id)
  return {
    name: report?.ownName ?? address,
    id: shardedGet(context.roster, id)?.machine,
    isConnected: report?.isConnected === true,
    problem: report?.problem ?? 0,
    summary: report?.summary ?? { ...emptySummary, clients: 1 },
    data: client.record.data,
    lastMessageAt: client.heardAt,
  }
}
