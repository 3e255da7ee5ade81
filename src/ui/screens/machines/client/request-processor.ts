import { t } from '@lingui/core/macro'
import { actionBlocker, actionBlockerOf } from '../../../../folding/client/actions.ts'
import {
  processorName,
  processorsOf,
  processorState,
  unitsOfProcessor,
  type ProcessorState,
} from '../../../../folding/client/processors.ts'
import {
  type ProcessorNote,
  isSameProcessor,
  noteOf,
  type Processor,
} from '../../../../folding/client/processor-notes.ts'
import { groupOf, groupState } from '../../../../folding/client/group.ts'
import { formatLocalShort } from '../../../../folding/text/times.ts'
import { shardedGet } from '../../../../folding/shared/sharded-map.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef, ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { selectClientKey, selectData, selectId } from '../../../../machines/connection/client/client.selectors.ts'
import { selectRun } from '../../../../machines/fleet/bulk/bulk.selectors.ts'
import type { BulkSnapshot } from '../../../../machines/fleet/bulk/bulk.machine.ts'
import { selectNotes } from '../../../../machines/fleet/processors/processors.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import type { ClientView } from '../../../../folding/client/client.ts'

/** A processor as it is shown. */
export type ShownProcessor = {
  readonly processor: Processor
  readonly name: string
  readonly state: ProcessorState | undefined
  readonly note: ProcessorNote | undefined
  readonly hasUnits: boolean
  /** Whether it is the only one of its group, which has the same buttons. */
  readonly isOnly: boolean
}

export function notesFor(system: System, client: ClientSnapshot): readonly ProcessorNote[] {
  return selectNotes(selectClientKey(client))(system.processors.getSnapshot())
}

/** The processors of a group that folds or finishes; none of one that is paused as a whole. */
export function shownProcessors(
  client: ClientSnapshot,
  group: string,
  notes: readonly ProcessorNote[],
): readonly ShownProcessor[] {
  const data = selectData(client)
  if (data === undefined || groupState(groupOf(data, { group })) === 'pause') return []
  const all = processorsOf(data, group, notes)
  return all.map(processor => ({
    processor,
    name: processorName(processor, data.info),
    state: processorState(data, processor, notes),
    note: noteOf(notes, processor),
    hasUnits: unitsOfProcessor(data, processor).length > 0,
    isOnly: all.length === 1,
  }))
}

/** Folds, pauses or finishes one processor; what disturbs other units is shown first. */
export function requestProcessor(client: ClientRef, { app }: System, processor: Processor, state: FoldingState): void {
  const snapshot = client.getSnapshot()
  const name = processorName(processor, selectData(snapshot)?.info)
  app.send({
    type: 'app.want',
    part: 'bulk',
    first: {
      to: 'bulk',
      event: {
        type: 'bulk.quick',
        action: { kind: 'processor', state, which: { kind: 'one', processor, name } },
        ids: [selectId(snapshot)],
      },
    },
  })
}

/** The state that a running action gives a processor; undefined when none does. */
export function askedProcessorState(id: string, processor: Processor) {
  return (bulk: BulkSnapshot | undefined): FoldingState | undefined => {
    const run = bulk === undefined ? undefined : selectRun(bulk)
    if (run?.action.kind !== 'processor' || run.action.which.kind !== 'one') return undefined
    const entry = shardedGet(run.entries, id)
    const isAsked = entry?.state.kind === 'waiting' || entry?.state.kind === 'asked'
    return isAsked && isSameProcessor(run.action.which.processor, processor) ? run.action.state : undefined
  }
}

/** What a processor does apart from its group, and since when; undefined when it does the same. */
export function processorText({ state, note }: ShownProcessor, isWatched: boolean): string | undefined {
  if (state === 'finish' && note !== undefined)
    return isWatched
      ? t`finishing: the server pauses it after its work unit`
      : t`finishing: keep this page open, which pauses it after its work unit`
  if (state === 'off') return t`disabled in its group, perhaps paused from another page`
  if (state !== 'pause' || note === undefined) return undefined
  const since = t`paused since ${formatLocalShort(note.at)}`
  return note.by === undefined ? since : `${since} (${note.by})`
}

/** Why processors of a client cannot be told anything. */
export function processorBlocker(view: ClientView): string | undefined {
  return actionBlocker('fold', view) ?? actionBlockerOf('config', view.limit)
}

/** What a processor in a state can be told. */
export function statesFor(state: ProcessorState | undefined): readonly FoldingState[] {
  if (state === 'pause' || state === 'off') return ['fold']
  return state === 'finish' ? ['fold', 'pause'] : ['pause', 'finish']
}
