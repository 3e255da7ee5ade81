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

/** `address`: as returned by `safeWebUrl`. */
export function visitTeamQuestion(address: string): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `visit:${address}`,
    title: t`Visit team website?`,
    text: t`The team’s owner chose this site: ${address}. We cannot vouch for its safety. Do you want to proceed?`,
    buttons: [
      { id: 'cancel', name: t`Cancel` },
      { id: 'proceed', name: t`Proceed`, tone: 'primary', opens: address },
    ],
  }
}

/** A client of this computer that belongs to another account is only linked after confirmation. */
export function linkForeignQuestion(id: string, name: string): ConfirmDialog {
  return {
    kind: 'confirm',
    id: `account:link:${id}`,
    title: t`Link this computer’s machine?`,
    text: t`The machine ${name} on this computer is linked to another account. Do you want to link it to yours instead?`,
    buttons: [
      { id: 'no', name: t`No` },
      {
        id: 'link',
        name: t`Link`,
        tone: 'primary',
        sends: [{ to: 'account', event: { type: 'account.linkClient', id, name } }],
      },
    ],
  }
}
