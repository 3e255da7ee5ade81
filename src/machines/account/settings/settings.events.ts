import type { AccountForm } from '../../../folding/account/account-form.ts'
import type { Appearance } from '../../../protocol/api.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { DraftNews } from '../../shared/draft/draft.events.ts'
import type { PictureNews } from '../../shared/picture/picture.events.ts'
import type { TeamsNews } from '../teams/teams.events.ts'

/** The account as saved on the server. */
export type SettingsFact = { readonly type: 'settings.loaded'; readonly value: AccountForm }

export type SettingsEvent = SettingsFact | DraftNews<AccountForm> | PictureNews | TeamsNews

export type AccountFailure = 'refresh' | 'save' | 'deletion' | 'token' | TeamFailure
type TeamFailure = Extract<TeamsNews, { type: 'teams.failed' }>['failure']

/** Sent to the account. */
export type SettingsNews =
  | { readonly type: 'settings.saved'; readonly before: AccountForm; readonly value: AccountForm }
  /** Show this appearance without saving it; undefined ends the preview. */
  | { readonly type: 'settings.previewed'; readonly config: Appearance | undefined }
  | { readonly type: 'settings.outdated' }
  | { readonly type: 'settings.failed'; readonly failure: AccountFailure; readonly fault: ApiFault }
