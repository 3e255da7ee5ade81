import type { Excess } from '../../../../src/folding/client/client-excess.ts'
import type { SnapshotFrom } from 'xstate'
import { DIRECT_ID } from '../../../../src/folding/client/client.ts'
import type { ClientData } from '../../../../src/protocol/client/client-data.ts'
import { shardedGet } from '../../../../src/folding/shared/sharded-map.ts'
import { emptySummary, type Summary } from '../../../../src/folding/client/totals.ts'
import type { ClientReport } from '../../../../src/machines/connection/client/client.events.ts'
import type { fleetMachine } from '../../../../src/machines/connection/fleet/fleet.machine.ts'
import type { ProblemLevel } from '../../../../src/folding/client/badges.ts'

export type FleetSnapshot = SnapshotFrom<typeof fleetMachine>

/** What is known of a client now. */
export type ClientStatus = {
  /** The client's own name, else its address; other clients may have it too. */
  readonly name: string
  /** The client's key (`clientKey`), once it has sent its id. */
  readonly id: string | undefined
  readonly isConnected: boolean
  readonly problem: ProblemLevel
  readonly summary: Summary
  /** Its last known state; undefined before the first connection. */
  readonly data: ClientData | undefined
  /** When its last message arrived: epoch milliseconds. */
  readonly lastMessageAt: number | undefined
  /** As of when its state is, where its messages come late or are not followed; undefined: it is current. */
  readonly asOf: number | undefined
}

export type Member = {
  readonly report: ClientReport | undefined
  readonly id: string | undefined
  readonly data: ClientData | undefined
  readonly heardAt: number | undefined
  readonly asOf: number | undefined
  /** Of what it sent too much when its connection ended. */
  readonly excess: Excess | undefined
}

/** Of whom nothing is known. */
export const NOBODY: Member = {
  report: undefined,
  id: undefined,
  data: undefined,
  heardAt: undefined,
  asOf: undefined,
  excess: undefined,
}

/** What the fleet has of a connection, by its id: nothing of one that it has not. */
export function readMember(fleet: FleetSnapshot | undefined, id: string): Member {
  const context = fleet?.context
  const member = context?.members[id]
  if (context === undefined || member === undefined || id === DIRECT_ID) return NOBODY
  const { record, heardAt, asOf, excess } = member.ref.getSnapshot().context
  return {
    report: shardedGet(context.reports, id),
    id: shardedGet(context.roster, id)?.machine,
    data: record.data,
    heardAt,
    asOf,
    excess,
  }
}

/** The client of a connection; `address`: its name until it has told its own. */
export function stateOf({ report, id, data, heardAt, asOf }: Member, address: string): ClientStatus {
  return {
    name: report?.ownName ?? address,
    id,
    isConnected: report?.isConnected === true,
    problem: report?.problem ?? 0,
    summary: report?.summary ?? NO_SUMMARY,
    data,
    lastMessageAt: heardAt,
    asOf,
  }
}

const NO_SUMMARY: Summary = { ...emptySummary, clients: 1 }
