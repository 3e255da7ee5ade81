import { logoutQuestion } from '../../../machines/account/account/account.questions.ts'
import { selectSettings } from '../../../machines/account/account/account.selectors.ts'
import { selectAccountDraft } from '../../../machines/account/settings/settings.selectors.ts'
import type { System } from '../../../machines/app/system.ts'
import { isModified } from '../../../machines/shared/draft/draft.selectors.ts'

/** Signs out; asks first where that would discard changes of the account's settings. */
export function requestSignOut({ account, dialogs }: Pick<System, 'account' | 'dialogs'>): void {
  const settings = selectSettings(account.getSnapshot())
  const draft = settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
  if (draft !== undefined && isModified(draft.getSnapshot()))
    dialogs.send({ type: 'dialogs.ask', dialog: logoutQuestion })
  else account.send({ type: 'account.signOut' })
}
