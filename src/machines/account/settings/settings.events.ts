import type { AccountForm } from '../../../folding/account/account-form.ts'
import type { Appearance } from '../../../protocol/api.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { DraftNews } from '../../shared/draft/draft.events.ts'
import type { PictureNews } from '../../shared/picture/picture.events.ts'
import type { TeamsNews } from '../teams/teams.events.ts'

/** The account as it is saved at the server. */
export type SettingsFact = { readonly type: 'settings.loaded'; readonly value: AccountForm }

export type SettingsEvent = SettingsFact | DraftNews<AccountForm> | PictureNews | TeamsNews

export type AccountFailure = 'refresh' | 'save' | 'deletion' | 'token' | TeamFailure
type TeamFailure = Extract<TeamsNews, { type: 'teams.failed' }>['failure']

/** What the settings tell the account. */
export type SettingsNews =
  | { readonly type: 'settings.saved'; readonly before: AccountForm; readonly value: AccountForm }
  /** Looks to be shown at once, though they are not saved; undefined ends that. */
  | { readonly type: 'settings.previewed'; readonly config: Appearance | undefined }
  | { readonly type: 'settings.outdated' }
  | { readonly type: 'settings.failed'; readonly failure: AccountFailure; readonly fault: ApiFault }
