import { actionBlocker } from '../../../../folding/client/actions.ts'
import { finishBlocker } from '../../../../folding/client/finishing.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectData } from '../../../../machines/connection/client/client.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import { viewNowOf } from '../../../hooks/use-relay-pending.ts'

/** Why a client cannot be asked for a state now; undefined when it can. */
export function stateBlocker(client: ClientRef, system: System, state: FoldingState): string | undefined {
  const snapshot = client.getSnapshot()
  return (
    actionBlocker(state, viewNowOf(system)(snapshot)) ??
    (state === 'finish' ? finishBlocker(selectData(snapshot)) : undefined)
  )
}
