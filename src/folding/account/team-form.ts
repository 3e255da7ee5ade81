/*
 * The form for a team.
 */
import { t } from '@lingui/core/macro'
import type { AccountTeam } from '../../protocol/api/api.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type ValidationErrors, definedErrors } from './registration.ts'
import { checkTeamName, checkTeamUrl, withScheme } from '../shared/validation.ts'
import { dataUrlImage } from '../address/web-address.ts'

export type TeamForm = {
  /** Its number; undefined for a new team. */
  readonly team: number | undefined
  readonly name: string
  readonly url: string
  /** An image as a data URL, the server's value, or '' for none. */
  readonly logo: string
}

export const emptyTeamForm: TeamForm = { team: undefined, name: '', url: '', logo: '' }

export function teamForm({ team, name = '', url = '', logo = '' }: AccountTeam): TeamForm {
  return { team, name, url, logo }
}

export type TeamFormErrors = ValidationErrors<'name' | 'url' | 'logo'>

export function checkTeamForm(form: TeamForm, saved: TeamForm): TeamFormErrors {
  return definedErrors({
    name: checkTeamName(form.name),
    url: checkTeamUrl(form.url),
    logo:
      form.logo === '' || form.logo === saved.logo || dataUrlImage(form.logo) !== undefined
        ? undefined
        : t`The logo is not an image`,
  })
}

/** The body of `POST /account/teams` and `PUT /account/teams/{team}`. */
export function teamBody({ name, url, logo }: TeamForm): JsonObject {
  return { name, url: withScheme(url), logo }
}

/** Why a team cannot be deleted; undefined when it can. */
export function teamDeleteBlocker({ wus = 0 }: AccountTeam): string | undefined {
  return wus > 0 ? t`Only teams with no points can be deleted.` : undefined
}

/** A team's page on the project's statistics site. */
export function teamStatsUrl(team: number): string {
  return `https://stats.foldingathome.org/team/${team}`
}
