import type { AccountForm } from '../../../folding/account/account-form.ts'
import type { Appearance } from '../../../protocol/api/api.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { DraftNotification } from '../../shared/draft/draft.events.ts'
import type { PictureNotification } from '../../shared/picture/picture.events.ts'
import type { TeamsNotification } from '../teams/teams.events.ts'

/** The account as saved on the server. */
export type SettingsFact = { readonly type: 'settings.loaded'; readonly value: AccountForm }

export type SettingsEvent = SettingsFact | DraftNotification<AccountForm> | PictureNotification | TeamsNotification

export type AccountFailure = 'refresh' | 'save' | 'deletion' | 'token' | TeamFailure
type TeamFailure = Extract<TeamsNotification, { type: 'teams.failed' }>['failure']

/** Sent to the account. */
export type SettingsNotification =
  | { readonly type: 'settings.saved'; readonly before: AccountForm; readonly value: AccountForm }
  /** Show this appearance without saving it; undefined ends the preview. */
  | { readonly type: 'settings.previewed'; readonly config: Appearance | undefined }
  | { readonly type: 'settings.outdated' }
  | { readonly type: 'settings.failed'; readonly failure: AccountFailure; readonly fault: ApiFault }
