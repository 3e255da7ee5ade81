/* Questions that a page can ask before the code of accounts is loaded. */
import { t } from '@lingui/core/macro'
import type { ConfirmDialog } from '../../shared/dialogs/dialogs.events.ts'

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
