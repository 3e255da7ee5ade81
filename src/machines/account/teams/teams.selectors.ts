import { checkTeamForm, type TeamFormErrors, type TeamForm } from '../../../folding/account/team-form.ts'
import type { DraftSnapshot } from '../../shared/draft/draft.machine.ts'
import type { AccountTeam } from '../../../protocol/api.ts'
import type { PictureRef } from '../../shared/picture/picture.machine.ts'
import type { TeamDraftRef, TeamsSnapshot } from './teams.machine.ts'

export const isTeamBeingDeleted = (snapshot: TeamsSnapshot): boolean => snapshot.hasTag('busy')
/** The team being edited; undefined for a new one. */
export const selectEditedTeam = ({ context }: TeamsSnapshot): AccountTeam | undefined => context.edited
export const selectTeamDraft = ({ children }: TeamsSnapshot): TeamDraftRef | undefined =>
  children['draft'] as TeamDraftRef | undefined
export const selectLogo = ({ children }: TeamsSnapshot): PictureRef | undefined =>
  children['logo'] as PictureRef | undefined

/** Validation error of a field of the team dialog. */
export const selectTeamFieldError =
  (field: keyof TeamFormErrors) =>
  ({ context: { draft, saved } }: DraftSnapshot<TeamForm>): string | undefined =>
    draft === undefined || saved === undefined ? undefined : checkTeamForm(draft, saved)[field]
