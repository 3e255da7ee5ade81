import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { formatNumber, formatPercent } from '../../../folding/text/format.ts'
import { teamKey } from '../../../folding/shared/resource-keys.ts'
import { teamStanding } from '../../../folding/account/standings.ts'
import { teamStatsUrl } from '../../../folding/account/team-form.ts'
import { dataUrlImage } from '../../../folding/address/web-address.ts'
import { selectAccount, selectSettings } from '../../../machines/account/account/account.selectors.ts'
import { selectPasskey, selectTeam, selectUserKey } from '../../../machines/account/donor/donor.selectors.ts'
import type { SettingsRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectTeams } from '../../../machines/account/settings/settings.selectors.ts'
import type { AccountTeam } from '../../../protocol/api/api.ts'
import { IconButton } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { AwardButtons } from './award-buttons.tsx'
import { Figures, Panel } from './figures.tsx'
import { Freshness } from './freshness.tsx'
import styles from './stats.module.css'

/** Leads to the teams that the account owns, and to a first one. */
function TeamSettings() {
  const isIn = useSelector(useSystem().account, snapshot => snapshot.hasTag('signedIn'))
  return isIn ? <ButtonLink to="/account/teams">{t`Team settings`}</ButtonLink> : null
}

function NoTeam() {
  return (
    <Panel
      label={t`Team`}
      title={t`No team selected`}
      picture={<Icon name="team" />}
      actions={
        <>
          <ButtonLink to="https://stats.foldingathome.org/team">{t`Find a team`}</ButtonLink>
          <TeamSettings />
        </>
      }
    >
      <p className={styles['quiet']}>{t`Points earned for a team also count for the member who earned them.`}</p>
    </Panel>
  )
}

/** Opens the dialog of a team that the account owns. */
function Edit({ team, settings }: { readonly team: AccountTeam; readonly settings: SettingsRef }) {
  const teams = useSelector(settings, selectTeams)
  return teams === undefined ? null : (
    <IconButton
      icon="edit"
      label={t`Edit team ${team.team ?? ''}`}
      onPress={() => teams.send({ type: 'teams.edit', team })}
    />
  )
}

function Team({ number }: { readonly number: number }) {
  const { account, donor } = useSystem()
  const state = useResource(teamKey(number))
  const { value: stats } = useResource(useSelector(donor, selectUserKey), useSelector(donor, selectPasskey))
  const owned = useSelector(account, snapshot => selectAccount(snapshot)?.teams?.find(({ team }) => team === number))
  const settings = useSelector(account, selectSettings)
  const { rank, score, wus, contribution } = teamStanding(number, state.value, stats)
  const name = (owned?.name ?? state.value?.name ?? '') || t`Team ${number}`
  const logo = dataUrlImage(owned?.logo) ?? dataUrlImage(state.value?.logo)
  const isKnown = state.value !== undefined || state.isAbsent
  return (
    <Panel
      label={t`Team`}
      title={name}
      address={teamStatsUrl(number)}
      picture={logo === undefined ? <Icon name="team" /> : <img src={logo} alt="" />}
      mark={owned === undefined || settings === undefined ? undefined : <Edit team={owned} settings={settings} />}
      actions={
        <>
          {state.value === undefined ? undefined : <AwardButtons holder={name} team={number} />}
          <TeamSettings />
        </>
      }
    >
      {isKnown ? (
        <Figures
          figures={[
            { label: t`Team points`, value: formatNumber(score), isMain: true },
            { label: t`Team rank`, value: rank === undefined ? '–' : formatNumber(rank) },
            { label: t`Team work units`, value: formatNumber(wus) },
            ...(contribution === undefined
              ? []
              : [
                  {
                    label: t`Your points`,
                    value: formatNumber(contribution.score),
                    note: formatPercent(contribution.share),
                  },
                  { label: t`Your work units`, value: formatNumber(contribution.wus) },
                ]),
          ]}
        />
      ) : undefined}
      {isKnown || state.fault !== undefined ? undefined : <Skeleton label={t`Loading...`} rows={4} />}
      {state.isAbsent ? <p className={styles['quiet']}>{t`Team ${number} was not found.`}</p> : undefined}
      <Freshness keys={[teamKey(number)]} state={state} />
    </Panel>
  )
}

/** The team that points are credited to. */
export function TeamPanel() {
  const number = useSelector(useSystem().donor, selectTeam)
  return number === 0 ? <NoTeam /> : <Team key={number} number={number} />
}
