import { castDraft, produce } from 'immer'
import { appendLog, emptyLog, replaceLog, type LogLines } from '../../../folding/log-lines.ts'
import { emptyTrajectory, putFrame, type Trajectory } from '../../../folding/trajectory.ts'
import { applyChanges } from '../../../protocol/changes.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { ClientFact, Topology } from '../../../protocol/client-message.ts'
import type { Fault } from '../../../protocol/fault.ts'

export type NotedFault = { readonly at: number; readonly fault: Fault }

/** What is known of the shape of one unit's protein. */
export type Structure = { readonly topology: Topology | undefined; readonly trajectory: Trajectory }

/** All that one client has said. */
export type ClientRecord = {
  readonly data: ClientData | undefined
  readonly log: LogLines
  readonly structures: ReadonlyMap<string, Structure>
  /** The newest last. */
  readonly faults: readonly NotedFault[]
}

export const emptyRecord: ClientRecord = {
  data: undefined,
  log: emptyLog,
  structures: new Map(),
  faults: [],
}

const MOST_FAULTS = 20

/** The record after what a client said at `at` (epoch milliseconds), in the order in which it said it. */
export const evolveRecord = (record: ClientRecord, facts: readonly ClientFact[], at: number): ClientRecord => {
  let evolved = record
  for (const fact of facts) evolved = evolve(evolved, fact, at)
  return evolved
}

const evolve = (record: ClientRecord, fact: ClientFact, at: number): ClientRecord =>
  produce(record, draft => {
    switch (fact.type) {
      case 'snapshot.received':
        draft.data = castDraft(fact.data)
        return
      case 'changes.received':
        // Not through the draft: the document is copied along the changed paths alone.
        if (record.data !== undefined) draft.data = castDraft(applyChanges(record.data, fact.changes))
        return
      case 'log.received':
        draft.log = castDraft(fact.replace ? replaceLog(record.log, fact.lines) : appendLog(record.log, fact.lines))
        return
      case 'topology.received':
        draft.structures = castDraft(withStructure(record, fact.unit, { topology: fact.topology }))
        return
      case 'frame.received': {
        const { topology, trajectory } = structureOf(record, fact.unit)
        const next = putFrame(trajectory, fact.index, fact.positions, topology?.names.length)
        draft.structures = castDraft(withStructure(record, fact.unit, { trajectory: next }))
        return
      }
      case 'fault.found':
        draft.faults = castDraft([...record.faults, { at, fault: fact.fault }].slice(-MOST_FAULTS))
        return
      // The history is kept for all machines together, beyond the life of a connection.
      case 'history.received':
      case 'ping.received':
        return
      default:
        fact satisfies never
    }
  })

const noStructure: Structure = { topology: undefined, trajectory: emptyTrajectory }

const structureOf = (record: ClientRecord, unit: string): Structure => record.structures.get(unit) ?? noStructure

const withStructure = (record: ClientRecord, unit: string, change: Partial<Structure>): ReadonlyMap<string, Structure> =>
  new Map(record.structures).set(unit, { ...structureOf(record, unit), ...change })
