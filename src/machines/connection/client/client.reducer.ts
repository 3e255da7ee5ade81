import { castDraft, Immer } from 'immer'
import { appendLog, emptyLog, logFrom, replaceLog, type LogLines } from '../../../folding/log/log-lines.ts'
import type { SpeedBasis } from '../../../folding/unit/watched.ts'
import { watchUnits, type Watch } from '../../../folding/unit/watch-units.ts'
import { withFrame, withTopology, type Structure } from '../../../folding/molecule/structure.ts'
import { applyChanges } from '../../../protocol/client/changes.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import type { Fault } from '../../../protocol/fault.ts'

export type NotedFault = { readonly at: number; readonly fault: Fault }

/** All data received from a client. */
export type ClientRecord = {
  readonly data: ClientData | undefined
  /** What was seen of its units; undefined before the client was heard. */
  readonly watch?: Watch
  readonly log: LogLines
  /** Whether the client has sent its log, and `log` is all of it: of a long one the end is there first. */
  readonly isLogWhole: boolean
  /** By unit id; only of the unit that is viewed. */
  readonly structures: ReadonlyMap<string, Structure>
  /** The newest last. */
  readonly faults: readonly NotedFault[]
}

export const emptyRecord: ClientRecord = {
  data: undefined,
  log: emptyLog,
  isLogWhole: false,
  structures: new Map(),
  faults: [],
}

const MOST_FAULTS = 20

// Without auto-freeze: deep-freezing the data would cost more than the update itself.
const { produce } = new Immer({ autoFreeze: false })

/** The record after the facts, in order. `at`: epoch milliseconds. `speed`: by which frames it is measured. */
export function evolveRecord(
  record: ClientRecord,
  facts: readonly ClientFact[],
  at: number,
  speed?: SpeedBasis,
): ClientRecord {
  let evolved = record
  for (const fact of facts) evolved = evolve(evolved, fact, at)
  const { data } = evolved
  const isHeard = facts.some(({ type }) => type === 'snapshot.received' || type === 'changes.received')
  // Once for all: it looks at all units.
  return isHeard && data !== undefined ? { ...evolved, watch: watchUnits(record.watch, data, at, speed) } : evolved
}

function evolve(record: ClientRecord, fact: ClientFact, at: number): ClientRecord {
  return produce(record, draft => {
    switch (fact.type) {
      case 'snapshot.received':
        draft.data = castDraft(fact.data)
        return
      case 'changes.received':
        // Not through the draft, like logs and frames: applyChanges copies only the changed paths.
        if (record.data !== undefined) draft.data = castDraft(applyChanges(record.data, fact.changes))
        return
      case 'log.received':
        draft.log = castDraft(fact.replace ? replaceLog(record.log, fact.lines) : appendLog(record.log, fact.lines))
        draft.isLogWhole = true
        return
      case 'log.tailReceived':
        // Lines that are there already are kept until the whole log replaces them.
        if (record.log.length > 0) return
        draft.log = castDraft(logFrom(record.log.end + fact.before, fact.lines))
        draft.isLogWhole = false
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
      // The history machine stores these for all clients.
      case 'history.received':
      case 'ping.received':
        return
      default:
        fact satisfies never
    }
  })
}

function withStructure(
  { structures }: ClientRecord,
  unit: string,
  change: (structure: Structure) => Structure,
): ClientRecord['structures'] {
  const structure = structures.get(unit)
  return structure === undefined ? structures : new Map(structures).set(unit, change(structure))
}
