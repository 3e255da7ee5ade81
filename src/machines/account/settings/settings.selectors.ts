import { checkAccountForm, type AccountFormErrors, type AccountForm } from '../../../folding/account/account-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { PictureRef } from '../../shared/picture/picture.machine.ts'
import type { TeamsRef } from '../teams/teams.machine.ts'
import type { AccountDraftRef, SettingsSnapshot } from './settings.machine.ts'

/** Child actors of the settings. */
export function selectAccountDraft({ children }: SettingsSnapshot): AccountDraftRef | undefined {
  return children['draft']
}
export function selectAvatar({ children }: SettingsSnapshot): PictureRef | undefined {
  return children['avatar']
}
export function selectTeams({ children }: SettingsSnapshot): TeamsRef | undefined {
  return children['teams']
}

/** Validation error of a field. */
export function selectAccountFieldError(field: keyof AccountFormErrors) {
  return ({ context: { draft, saved } }: DraftSnapshot<AccountForm>): string | undefined => {
    if (draft === undefined || saved === undefined) return undefined
    return checkAccountForm(draft, saved)[field]
  }
}
