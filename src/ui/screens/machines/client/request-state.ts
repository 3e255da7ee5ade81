import { clientState } from '../../../../folding/client/client.ts'
import { groupsToResume } from '../../../../folding/client/finishing.ts'
import { groupsOf, pausedByHand } from '../../../../folding/client/group.ts'
import { isPartThere } from '../../../../machines/app/app.selectors.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectClientKey, selectData, selectId } from '../../../../machines/connection/client/client.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'

/**
 * Folds, pauses or finishes a client or one of its groups. What would resume groups of the client that a person paused is
 * shown first; Fold of a client, and what changes groups in different states, can be undone, as for many clients.
 */
export function requestState(client: ClientRef, system: System, state: FoldingState, group?: string): void {
  const snapshot = client.getSnapshot()
  const data = selectData(snapshot)
  const notes = system.processors.getSnapshot().context.notes[selectClientKey(snapshot) ?? ''] ?? []
  const hasPaused = state === 'fold' && group === undefined && notes.some(note => note.state === 'pause')
  const meant = group === undefined && state !== 'pause' ? pausedByHand(groupsOf(data)) : []
  const resumed = state === 'finish' ? groupsToResume(data).filter(name => meant.includes(name)) : meant
  const isBusy = isPartThere('bulk')(system.app.getSnapshot()) && !system.bulk.getSnapshot().hasTag('ready')
  const before = clientState(data)
  const isResumed = state === 'fold' && (before === 'pause' || before === 'finish')
  const canUndo = group === undefined && (before === 'mixed' || isResumed) && !isBusy
  if (resumed.length === 0 && !hasPaused && !canUndo)
    client.send({ type: 'client.setState', state, ...(group === undefined ? {} : { group }) })
  else requestStates(system, state, [selectId(snapshot)])
}

/** The same of several clients. */
export function requestStates({ app }: Pick<System, 'app'>, state: FoldingState, ids: readonly string[]): void {
  app.send({
    type: 'app.want',
    part: 'bulk',
    first: { to: 'bulk', event: { type: 'bulk.quick', action: { kind: 'state', state, keepsPaused: false }, ids } },
  })
}
