import type { PictureRef } from '../../screens/picture/picture.machine.ts'
import type { TeamsRef } from '../teams/teams.machine.ts'
import type { AccountDraftRef, SettingsSnapshot } from './settings.machine.ts'

/** They live as long as the settings do. */
export const selectAccountDraft = ({ children }: SettingsSnapshot): AccountDraftRef | undefined => children['draft']
export const selectAvatar = ({ children }: SettingsSnapshot): PictureRef | undefined => children['avatar']
export const selectTeams = ({ children }: SettingsSnapshot): TeamsRef | undefined => children['teams']
