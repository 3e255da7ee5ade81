import { groupsToResume } from '../../../../folding/client/finishing.ts'
import { groupsOf, pausedByHand } from '../../../../folding/client/group.ts'
import type { AppRef } from '../../../../machines/app/app/app.machine.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectData, selectId } from '../../../../machines/connection/client/client.selectors.ts'
import type { FoldingState } from '../../../../protocol/commands.ts'

/**
 * Folds, pauses or finishes a client or one of its groups. What would resume groups of the client that a person paused is
 * shown first, as for many clients.
 */
export function requestState(client: ClientRef, app: AppRef, state: FoldingState, group?: string): void {
  const snapshot = client.getSnapshot()
  const data = selectData(snapshot)
  const meant = group === undefined && state !== 'pause' ? pausedByHand(groupsOf(data)) : []
  const resumed = state === 'finish' ? groupsToResume(data).filter(name => meant.includes(name)) : meant
  if (resumed.length === 0) client.send({ type: 'client.setState', state, ...(group === undefined ? {} : { group }) })
  else
    app.send({
      type: 'app.want',
      part: 'bulk',
      first: {
        to: 'bulk',
        event: { type: 'bulk.quick', action: { kind: 'state', state, keepsPaused: false }, ids: [selectId(snapshot)] },
      },
    })
}
