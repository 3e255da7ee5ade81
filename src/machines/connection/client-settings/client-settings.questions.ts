import { t } from '@lingui/core/macro'
import type { ConfirmDialog } from '../../shared/dialogs/dialogs.events.ts'

/** `settings`: the system id of the settings machine. */
export function unlinkQuestion(settings: string): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `${settings}:unlink`,
    title: t`Unlink machine?`,
    text: t`If you unlink this machine you will lose remote access. Are you sure you want to unlink?`,
    buttons: [
      { id: 'no', name: t`No` },
      { id: 'yes', name: t`Yes`, tone: 'danger', sends: [{ to: settings, event: { type: 'settings.unlink' } }] },
    ],
  }
}

export function deleteGroupQuestion(settings: string, name: string): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `${settings}:group:${name}`,
    title: t`Delete Resource Group?`,
    text: t`Are you sure you want to delete resource group "${name}"?`,
    buttons: [
      { id: 'cancel', name: t`Cancel` },
      {
        id: 'delete',
        name: t`Delete`,
        tone: 'danger',
        sends: [{ to: settings, event: { type: 'settings.deleteGroup', name } }],
      },
    ],
  }
}

export const unlockQuestion: ConfirmDialog = {
  kind: 'confirm',
  id: 'settings:unlock',
  title: t`Unlock Advanced Settings?`,
  text: t`Advanced settings are mainly used for testing. Are you sure you want to unlock advanced settings?`,
  buttons: [
    { id: 'cancel', name: t`Cancel` },
    {
      id: 'unlock',
      name: t`Unlock`,
      tone: 'primary',
      sends: [{ to: 'preferences', event: { type: 'preferences.change', change: { advanced: true } } }],
    },
  ],
}
