import { t } from '@lingui/core/macro'
import { selectSettings } from '../../account/account/account.selectors.ts'
import { selectAccountDraft, selectTeams } from '../../account/settings/settings.selectors.ts'
import { selectTeamDraft } from '../../account/teams/teams.selectors.ts'
import { selectClientDraft } from '../../connection/client-settings/client-settings.selectors.ts'
import { selectClientSettings, selectName } from '../../connection/client/client.selectors.ts'
import { isModified } from '../../shared/draft/draft.selectors.ts'
import { selectDraft } from '../../server/schedule-editor/schedule-editor.selectors.ts'
import type { System } from '../system.ts'

/** What a reload of the page would lose now, as named on the screen. */
export function findUnsaved({ account, fleet, history, scheduleEditor }: System): readonly string[] {
  const settings = selectSettings(account.getSnapshot())?.getSnapshot()
  const draft = settings === undefined ? undefined : selectAccountDraft(settings)
  const teams = settings === undefined ? undefined : selectTeams(settings)
  const team = teams === undefined ? undefined : selectTeamDraft(teams.getSnapshot())
  return [
    ...(draft !== undefined && isModified(draft.getSnapshot()) ? [t`Account settings`] : []),
    ...(team !== undefined && isModified(team.getSnapshot()) ? [t`The team that is being edited`] : []),
    ...Object.values(fleet.getSnapshot().context.members).flatMap(({ ref }) => {
      const client = ref.getSnapshot()
      const open = selectClientSettings(client)?.getSnapshot()
      const isEdited = open !== undefined && isModified(selectClientDraft(open).getSnapshot())
      return isEdited ? [t`Settings of ${selectName(client)}`] : []
    }),
    ...(selectDraft(scheduleEditor.getSnapshot()) === undefined ? [] : [t`A schedule`]),
    ...(history.getSnapshot().hasTag('busy') ? [t`A file of work units that is being imported or exported`] : []),
  ]
}
