import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { donorStatsUrl, positiveRank } from '../../../folding/account/standings.ts'
import { rankBucket } from '../../../folding/unit/statistics.ts'
import {
  selectDonorName,
  selectPasskey,
  selectTeam,
  selectUserKey,
} from '../../../machines/account/donor/donor.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Badge } from '../../parts/display/badge.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { AwardButtons } from './award-buttons.tsx'
import { Figures, Panel } from './figures.tsx'
import { Freshness } from './freshness.tsx'
import styles from './stats.module.css'

function Anonymous() {
  const { account, signIn } = useSystem()
  const isIn = useSelector(account, snapshot => snapshot.hasTag('signedIn'))
  return (
    <Panel
      label={t`Donor`}
      title={t`Folding anonymously`}
      picture={<Icon name="user" />}
      actions={
        isIn ? undefined : (
          <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
            {t`Login`}
          </Button>
        )
      }
    >
      <p className={styles['quiet']}>
        {isIn
          ? t`Points are credited to a name. Enter one in your account settings.`
          : t`Points are credited to a name. Log in to see yours.`}
      </p>
    </Panel>
  )
}

function Named({ name }: { readonly name: string }) {
  const { donor } = useSystem()
  const key = useSelector(donor, selectUserKey)
  const team = useSelector(donor, selectTeam)
  const state = useResource(key, useSelector(donor, selectPasskey))
  const { value, isAbsent, fault } = state
  const rank = positiveRank(value?.rank)
  const isKnown = value !== undefined || isAbsent
  return (
    <Panel
      label={t`Donor`}
      title={name}
      address={donorStatsUrl(name)}
      picture={<Icon name="user" />}
      mark={isKnown ? <Badge tone={rank === undefined ? 'paused' : 'done'}>{rankBucket(rank)}</Badge> : undefined}
      actions={value === undefined ? undefined : <AwardButtons holder={name} user={name} team={team} />}
    >
      {isKnown ? (
        <Figures
          figures={[
            { label: t`Points earned`, value: formatNumber(value?.score ?? 0), isMain: true },
            { label: t`Rank`, value: rank === undefined ? '–' : formatNumber(rank) },
            { label: t`Work units completed`, value: formatNumber(value?.wus ?? 0) },
            { label: t`Active clients within 7 days`, value: formatNumber(value?.active_7 ?? 0) },
            { label: t`Active clients within 50 days`, value: formatNumber(value?.active_50 ?? 0) },
          ]}
        />
      ) : undefined}
      {isKnown || fault !== undefined ? undefined : <Skeleton label={t`Loading...`} rows={4} />}
      {isAbsent ? <p className={styles['quiet']}>{t`No points have been credited to this name yet.`}</p> : undefined}
      <Freshness keys={key === undefined ? [] : [key]} state={state} />
    </Panel>
  )
}

/** The donor that points are credited to. */
export function DonorPanel() {
  const name = useSelector(useSystem().donor, selectDonorName)
  return name === undefined ? <Anonymous /> : <Named key={name} name={name} />
}
