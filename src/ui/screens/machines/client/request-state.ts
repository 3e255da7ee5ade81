import { clientState } from '../../../../folding/client/client.ts'
import { groupsToResume } from '../../../../folding/client/finishing.ts'
import { groupsOf, pausedByHand } from '../../../../folding/client/group.ts'
import { isPartAwaited, isPartThere } from '../../../../machines/app/app.selectors.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectClientKey, selectData, selectId } from '../../../../machines/connection/client/client.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'

/**
 * Folds, pauses or finishes a client or one of its groups. What would resume groups of the client that a person paused is
 * shown first; Fold of a client, and what changes groups in different states, can be undone, as for many clients. While
 * the code for that is loaded, all that is pressed waits for it, in order.
 */
export function requestState(client: ClientRef, system: System, state: FoldingState, group?: string): void {
  const snapshot = client.getSnapshot()
  const data = selectData(snapshot)
  const notes = system.processors.getSnapshot().context.notes[selectClientKey(snapshot) ?? ''] ?? []
  const hasPaused = state === 'fold' && group === undefined && notes.some(note => note.state === 'pause')
  const meant = group === undefined && state !== 'pause' ? pausedByHand(groupsOf(data)) : []
  const resumed = state === 'finish' ? groupsToResume(data).filter(name => meant.includes(name)) : meant
  const app = system.app.getSnapshot()
  const isBusy = isPartThere('bulk')(app) && !system.bulk.getSnapshot().hasTag('ready')
  const before = clientState(data)
  const isResumed = state === 'fold' && (before === 'pause' || before === 'finish')
  const canUndo = group === undefined && (before === 'mixed' || isResumed) && !isBusy
  if (resumed.length === 0 && !hasPaused && !canUndo && !isPartAwaited('bulk')(app))
    client.send({ type: 'client.setState', state, ...(group === undefined ? {} : { group }) })
  else requestStates(system, state, [selectId(snapshot)], group)
}

/** The same of several clients. */
export function requestStates(
  { app }: Pick<System, 'app'>,
  state: FoldingState,
  ids: readonly string[],
  group?: string,
): void {
  const action = { kind: 'state', state, keepsPaused: false } as const
  app.send({
    type: 'app.want',
    part: 'bulk',
    first: { to: 'bulk', event: { type: 'bulk.quick', action, ids, ...(group === undefined ? {} : { group }) } },
  })
}
