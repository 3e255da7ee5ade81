import { checkAccountForm, type AccountFormErrors, type AccountForm } from '../../../folding/account/account-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { PictureRef } from '../../shared/picture/picture.machine.ts'
import type { TeamsRef } from '../teams/teams.machine.ts'
import type { AccountDraftRef, SettingsSnapshot } from './settings.machine.ts'

/** Child actors of the settings. */
export const selectAccountDraft = ({ children }: SettingsSnapshot): AccountDraftRef | undefined => children['draft']
export const selectAvatar = ({ children }: SettingsSnapshot): PictureRef | undefined => children['avatar']
export const selectTeams = ({ children }: SettingsSnapshot): TeamsRef | undefined => children['teams']

/** Validation error of a field. */
export const selectAccountFieldError =
  (field: keyof AccountFormErrors) =>
  ({ context: { draft, saved } }: DraftSnapshot<AccountForm>): string | undefined => {
    if (draft === undefined || saved === undefined) return undefined
    return checkAccountForm(draft, saved)[field]
  }
