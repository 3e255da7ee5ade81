import { t } from '@lingui/core/macro'
import type { ConfirmDialog } from '../../shared/dialogs/dialogs.events.ts'

export const logoutQuestion: ConfirmDialog = {
  kind: 'confirm',
  id: 'account:logout',
  title: t`Log out without saving?`,
  text: t`You have unsaved changes. Logging out discards them.`,
  buttons: [
    { id: 'cancel', name: t`Cancel` },
    { id: 'logout', name: t`Logout`, tone: 'danger', sends: [{ to: 'account', event: { type: 'account.signOut' } }] },
  ],
}

export const renewTokenQuestion: ConfirmDialog = {
  kind: 'confirm',
  id: 'account:token',
  title: t`Generate a new token?`,
  text: t`The current token will stop working. Machines that are already linked stay linked.`,
  buttons: [
    { id: 'cancel', name: t`Cancel` },
    {
      id: 'generate',
      name: t`Generate`,
      tone: 'primary',
      sends: [{ to: 'account', event: { type: 'account.renewToken' } }],
    },
  ],
}

export function deleteTeamQuestion(team: number): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `account:team:${team}`,
    title: t`Delete Team ${team}?`,
    text: t`A deleted team cannot be recovered. Are you sure you want to delete it?`,
    buttons: [
      { id: 'cancel', name: t`Cancel` },
      {
        id: 'delete',
        name: t`Delete`,
        tone: 'danger',
        sends: [{ to: 'account:teams', event: { type: 'teams.delete', team } }],
      },
    ],
  }
}
