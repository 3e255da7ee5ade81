import { isComplete, undoOf } from './bulk.context.ts'
import type { BulkSnapshot } from './bulk.machine.ts'

/* Selectors that need the rules of actions, which the first chunk does not have. */

/** Whether the prepared action can be previewed. */
export function isDraftComplete({ context: { draft } }: BulkSnapshot): boolean {
  return draft !== undefined && isComplete(draft.action)
}
/** Whether the last action can be undone. */
export function canUndo(snapshot: BulkSnapshot): boolean {
  return snapshot.hasTag('ready') && snapshot.context.run !== undefined && undoOf(snapshot.context.run) !== undefined
}
