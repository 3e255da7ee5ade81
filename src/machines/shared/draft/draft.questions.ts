import { t } from '@lingui/core/macro'
import type { ConfirmDialog } from '../dialogs/dialogs.events.ts'

export const INVALID = t`Some fields are not valid yet.`
export const UNDECIDED = t`The same setting was changed elsewhere. Choose which value to keep first.`

/**
 * The question of docs/product.md §2. `obstacle`: why Save is disabled, when the draft cannot be saved.
 */
export function unsavedChanges(systemId: string, obstacle: string | undefined): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `${systemId}:unsaved`,
    title: t`Unsaved changes`,
    text: t`You have unsaved configuration changes. Would you like to save your changes, discard them or cancel and stay on this page?`,
    buttons: [
      { id: 'cancel', name: t`Cancel`, sends: [{ to: systemId, event: { type: 'draft.stay' } }] },
      {
        id: 'discard',
        name: t`Discard`,
        tone: 'danger',
        sends: [{ to: systemId, event: { type: 'draft.discardAndLeave' } }],
      },
      {
        id: 'save',
        name: t`Save`,
        tone: 'primary',
        ...(obstacle === undefined ? {} : { blockedBecause: obstacle }),
        sends: [{ to: systemId, event: { type: 'draft.saveAndLeave' } }],
      },
    ],
  }
}
