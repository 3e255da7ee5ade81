import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { teamStatsUrl, teamDeleteBlocker } from '../../../folding/account/team-form.ts'
import { dataUrlImage, safeWebUrl } from '../../../folding/address/web-address.ts'
import { selectAccount } from '../../../machines/account/account/account.selectors.ts'
import { deleteTeamQuestion } from '../../../machines/account/account/account.questions.ts'
import { visitTeamQuestion } from '../../../machines/account/account/page.questions.ts'
import type { SettingsRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectTeams } from '../../../machines/account/settings/settings.selectors.ts'
import type { TeamsRef } from '../../../machines/account/teams/teams.machine.ts'
import type { AccountTeam } from '../../../protocol/api/api.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './teams-tab.module.css'

const none: readonly AccountTeam[] = []

function TeamName({ team: { team = 0, name = '', url } }: { readonly team: AccountTeam }) {
  const { dialogs } = useSystem()
  const address = safeWebUrl(url)
  const label = name === '' ? t`Team ${team}` : <bdi>{name}</bdi>
  if (address === undefined) return label
  return (
    <button
      type="button"
      className={styles['link']}
      onClick={() => dialogs.send({ type: 'dialogs.ask', dialog: visitTeamQuestion(address) })}
    >
      {label}
    </button>
  )
}

function TeamRow({ team, teams }: { readonly team: AccountTeam; readonly teams: TeamsRef }) {
  const { dialogs } = useSystem()
  const isBusy = useSelector(teams, snapshot => snapshot.hasTag('busy'))
  const id = team.team ?? 0
  const logo = dataUrlImage(team.logo)
  return (
    <tr>
      <td className={styles['logo']}>{logo === undefined ? <Icon name="team" /> : <img src={logo} alt="" />}</td>
      <td className={styles['id']}>
        <a href={teamStatsUrl(id)} target="_blank" rel="noopener noreferrer" className={styles['link']}>
          {id}
        </a>
      </td>
      <th scope="row" className={styles['name']}>
        <TeamName team={team} />
      </th>
      <td className={styles['number']} data-label={t`WUs`}>
        {formatNumber(team.wus ?? 0)}
      </td>
      <td className={styles['number']} data-label={t`Score`}>
        {formatNumber(team.score ?? 0)}
      </td>
      <td className={styles['actions']}>
        <IconButton icon="edit" label={t`Edit team ${id}`} onPress={() => teams.send({ type: 'teams.edit', team })} />
        <IconButton
          icon="trash"
          label={t`Delete team ${id}`}
          isPending={isBusy}
          blockedBecause={teamDeleteBlocker(team)}
          onPress={() => dialogs.send({ type: 'dialogs.ask', dialog: deleteTeamQuestion(id) })}
        />
      </td>
    </tr>
  )
}

export function TeamsTab({ settings }: { readonly settings: SettingsRef }) {
  const owned = useSelector(useSystem().account, snapshot => selectAccount(snapshot)?.teams ?? none)
  const teams = useSelector(settings, selectTeams)
  if (teams === undefined) return null
  return (
    <div className="grid gap-3">
      <div className="row gap-2-3">
        <Button icon="plus" onPress={() => teams.send({ type: 'teams.create' })}>
          {t`New Team`}
        </Button>
      </div>
      {owned.length === 0 ? (
        <p className="quiet type-3">{t`You do not currently own any Folding@home teams.`}</p>
      ) : (
        <table className={styles['table']}>
          <thead>
            <tr>
              {[t`Logo`, 'ID', t`Name`, t`WUs`, t`Score`, t`Actions`].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {owned.map(team => (
              <TeamRow key={team.team ?? 0} team={team} teams={teams} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
