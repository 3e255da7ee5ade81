import type { ClientGone } from '../../connection/fleet/fleet.events.ts'

/** Ids are those of the connections over which clients are shown, as in the fleet. */
export type SelectionCommand =
  /** Show the controls to select clients. */
  | { readonly type: 'selection.begin' }
  /** Add the client to the selection, or remove it. */
  | { readonly type: 'selection.toggle'; readonly id: string }
  /** Select this client only. */
  | { readonly type: 'selection.select'; readonly id: string }
  /**
   * Add all clients between the one selected last and this one, instead of those of the last extension. `order`: ids of
   * the shown clients.
   */
  | { readonly type: 'selection.extend'; readonly id: string; readonly order: readonly string[] }
  /** Select exactly these clients. One that is shown later is not selected. */
  | { readonly type: 'selection.selectAll'; readonly ids: readonly string[] }
  /** Select nothing, and hide the controls. */
  | { readonly type: 'selection.clear' }

export type SelectionFact = { readonly type: 'selection.machinesGone'; readonly machines: readonly ClientGone[] }

export type SelectionEvent = SelectionCommand | SelectionFact
