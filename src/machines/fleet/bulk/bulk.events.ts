import type { ErrorActorEvent } from 'xstate'
import type { BulkAction } from '../../../folding/fleet/bulk-action.ts'
import type { ClientGone } from '../../connection/fleet/fleet.events.ts'
import type { BulkPartNotification } from '../bulk-part/bulk-part.events.ts'

/**
 * As `bulk.open`; done without a preview when there is nothing to decide: no group was paused on purpose. While another
 * action runs or is prepared, the clients are asked at once, without undo; where there is something to decide, after it.
 * `group`: only this group, of which nothing is decided or undone.
 */
export type BulkQuick = {
  readonly type: 'bulk.quick'
  readonly action: BulkAction
  readonly ids: readonly string[]
  readonly group?: string
}

export type BulkCommand =
  /** Prepare an action on exactly these clients. `ids`: those of the connections over which they are shown. */
  | { readonly type: 'bulk.open'; readonly action: BulkAction; readonly ids: readonly string[] }
  | BulkQuick
  /** What was entered in the action's form, or chosen in its preview. */
  | { readonly type: 'bulk.edit'; readonly action: BulkAction }
  | { readonly type: 'bulk.showPreview' }
  /** Back to the action's form. */
  | { readonly type: 'bulk.showForm' }
  | { readonly type: 'bulk.cancel' }
  /** Do what the preview shows. */
  | { readonly type: 'bulk.confirm' }
  /** Send nothing more, and wait for no more clients. */
  | { readonly type: 'bulk.stop' }
  /** Prepare the action again for the clients that did not confirm it. */
  | { readonly type: 'bulk.retry' }
  /** Give each client what it had before; shown first where that costs something. */
  | { readonly type: 'bulk.undo' }
  /** Close the result. */
  | { readonly type: 'bulk.dismiss' }

export type BulkFact =
  | { readonly type: 'bulk.machinesGone'; readonly machines: readonly ClientGone[] }
  /** The account was left: nothing of its clients is kept. */
  | { readonly type: 'bulk.reset' }

/** The next clients are due. */
type BulkTimer = { readonly type: 'bulk.next' }

export type BulkEvent = ErrorActorEvent | BulkTimer | BulkCommand | BulkFact | BulkPartNotification
