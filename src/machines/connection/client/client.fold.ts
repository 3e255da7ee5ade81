import { appendLog, emptyLog, replaceLog, type LogLines } from '../../../folding/log-lines.ts'
import { withFrame, withTopology, type Structure } from '../../../folding/structure.ts'
import { applyChanges } from '../../../protocol/changes.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import type { Fault } from '../../../protocol/fault.ts'

export type NotedFault = { readonly at: number; readonly fault: Fault }

/** All that one client has said. */
export type ClientRecord = {
  readonly data: ClientData | undefined
  readonly log: LogLines
  /** Of the units that somebody looks at: what comes of others is not kept. */
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

const evolve = (record: ClientRecord, fact: ClientFact, at: number): ClientRecord => {
  switch (fact.type) {
    case 'snapshot.received':
      return { ...record, data: fact.data }
    case 'changes.received':
      return record.data === undefined ? record : { ...record, data: applyChanges(record.data, fact.changes) }
    case 'log.received':
      return { ...record, log: fact.replace ? replaceLog(record.log, fact.lines) : appendLog(record.log, fact.lines) }
    case 'topology.received':
      return { ...record, structures: withStructure(record, fact.unit, structure => withTopology(structure, fact.topology)) }
    case 'frame.received':
      return { ...record, structures: withStructure(record, fact.unit, structure => withFrame(structure, fact.index, fact.positions)) }
    case 'fault.found':
      return { ...record, faults: [...record.faults, { at, fault: fact.fault }].slice(-MOST_FAULTS) }
    // The history is kept for all machines together, beyond the life of a connection.
    case 'history.received':
    case 'ping.received':
      return record
  }
}

const withStructure = ({ structures }: ClientRecord, unit: string, change: (structure: Structure) => Structure): ClientRecord['structures'] => {
  const known = structures.get(unit)
  return known === undefined ? structures : new Map(structures).set(unit, change(known))
}
