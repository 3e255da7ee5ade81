import { isComplete, undoOf } from './bulk.context.ts'
import type { BulkSnapshot } from './bulk.machine.ts'

/* Selectors that need the rules of actions, which the first chunk does not have. */

/** Whether the prepared action can be previewed. */
export const isDraftComplete = ({ context: { draft } }: BulkSnapshot): boolean =>
  draft !== undefined && isComplete(draft.action)
/** Whether the last action can be undone. */
export const canUndo = (snapshot: BulkSnapshot): boolean =>
  snapshot.hasTag('ready') && snapshot.context.run !== undefined && undoOf(snapshot.context.run) !== undefined
