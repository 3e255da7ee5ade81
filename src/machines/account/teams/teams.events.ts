import type { AccountTeam } from '../../../protocol/api/api.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { TeamForm } from '../../../folding/account/team-form.ts'
import type { DraftNotification } from '../../shared/draft/draft.events.ts'
import type { PictureNotification } from '../../shared/picture/picture.events.ts'

export type TeamsCommand =
  | { readonly type: 'teams.create' }
  | { readonly type: 'teams.edit'; readonly team: AccountTeam }
  | { readonly type: 'teams.cancel' }
  | { readonly type: 'teams.delete'; readonly team: number }

export type TeamsEvent = TeamsCommand | DraftNotification<TeamForm> | PictureNotification

/** Sent to the settings. */
export type TeamsNotification =
  /** A team was created, edited or deleted, so the account has to be fetched again. */
  | { readonly type: 'teams.changed' }
  | { readonly type: 'teams.failed'; readonly failure: 'team' | 'team deletion'; readonly fault: ApiFault }
