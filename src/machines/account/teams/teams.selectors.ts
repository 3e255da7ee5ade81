import { checkTeamForm, type TeamFormErrors, type TeamForm } from '../../../folding/account/team-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { PictureRef } from '../../shared/picture/picture.machine.ts'
import type { TeamDraftRef, TeamsSnapshot } from './teams.machine.ts'
export function selectTeamDraft({ children }: TeamsSnapshot): TeamDraftRef | undefined {
  return children['draft'] as TeamDraftRef | undefined
}
export function selectLogo({ children }: TeamsSnapshot): PictureRef | undefined {
  return children['logo'] as PictureRef | undefined
}

/** Validation error of a field of the team dialog. */
export function selectTeamFieldError(field: keyof TeamFormErrors) {
  return ({ context: { draft, saved } }: DraftSnapshot<TeamForm>): string | undefined =>
    draft === undefined || saved === undefined ? undefined : checkTeamForm(draft, saved)[field]
}
