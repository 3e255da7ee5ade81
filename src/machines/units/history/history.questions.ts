import { t } from '@lingui/core/macro'
import type { ConfirmDialog } from '../../shared/dialogs/dialogs.events.ts'

export const clearHistoryQuestion: ConfirmDialog = {
  kind: 'confirm',
  id: 'history:clear',
  title: t`Clear the history?`,
  text: t`This removes all work units that this browser has collected. They are not fetched from machines again. Export them first if you may need them.`,
  buttons: [
    { id: 'cancel', name: t`Cancel` },
    {
      id: 'clear',
      name: t`Clear`,
      tone: 'danger',
      sends: [
        { to: 'history', event: { type: 'history.clear' } },
        { to: 'records', event: { type: 'records.clear' } },
      ],
    },
  ],
}
