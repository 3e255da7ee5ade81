import { castDraft, Immer } from 'immer'
import { appendLog, emptyLog, replaceLog, type LogLines } from '../../../folding/log/log-lines.ts'
import { withFrame, withTopology, type Structure } from '../../../folding/molecule/structure.ts'
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

// Nothing is frozen: to do so to the depth of all that a client says would cost more than folding it.
const { produce } = new Immer({ autoFreeze: false })

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
        // Not through the draft, like logs and frames: the document is copied along the changed paths alone.
        if (record.data !== undefined) draft.data = castDraft(applyChanges(record.data, fact.changes))
        return
      case 'log.received':
        draft.log = castDraft(fact.replace ? replaceLog(record.log, fact.lines) : appendLog(record.log, fact.lines))
        return
      case 'topology.received':
        draft.structures = castDraft(
          withStructure(record, fact.unit, structure => withTopology(structure, fact.topology)),
        )
        return
      case 'frame.received':
        draft.structures = castDraft(
          withStructure(record, fact.unit, structure => withFrame(structure, fact.index, fact.positions)),
        )
        return
      case 'fault.found':
        draft.faults.push(castDraft({ at, fault: fact.fault }))
        if (draft.faults.length > MOST_FAULTS) draft.faults.shift()
        return
      // The history is kept for all machines together, beyond the life of a connection.
      case 'history.received':
      case 'ping.received':
        return
      default:
        fact satisfies never
    }
  })

const withStructure = (
  { structures }: ClientRecord,
  unit: string,
  change: (structure: Structure) => Structure,
): ClientRecord['structures'] => {
  const known = structures.get(unit)
  return known === undefined ? structures : new Map(structures).set(unit, change(known))
}
