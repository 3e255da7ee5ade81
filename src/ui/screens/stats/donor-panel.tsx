import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatNumber } from '../../../folding/shared/format.ts'
import { donorStatsAddress, positiveRank } from '../../../folding/account/standings.ts'
import { rankBucket } from '../../../folding/unit/statistics.ts'
import { isSignedIn } from '../../../machines/account/account/account.selectors.ts'
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

const Anonymous = () => {
  const { account, signIn } = useSystem()
  const isIn = useSelector(account, isSignedIn)
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
          ? t`Points are counted for a name. This account has none: it is set in the account’s settings.`
          : t`Points are counted for a name. Log in to see yours.`}
      </p>
    </Panel>
  )
}

const Named = ({ name }: { readonly name: string }) => {
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
      address={donorStatsAddress(name)}
      picture={<Icon name="user" />}
      mark={isKnown ? <Badge tone={rank === undefined ? 'paused' : 'done'}>{rankBucket(rank)}</Badge> : undefined}
      actions={value === undefined ? undefined : <AwardButtons holder={name} user={name} team={team} />}
    >
      {isKnown ? (
        <Figures
          figures={[
            { name: t`Points earned`, value: formatNumber(value?.score ?? 0), isMain: true },
            { name: t`Rank`, value: rank === undefined ? '–' : formatNumber(rank) },
            { name: t`Work units completed`, value: formatNumber(value?.wus ?? 0) },
            { name: t`Active clients within 7 days`, value: formatNumber(value?.active_7 ?? 0) },
            { name: t`Active clients within 50 days`, value: formatNumber(value?.active_50 ?? 0) },
          ]}
        />
      ) : undefined}
      {isKnown || fault !== undefined ? undefined : <Skeleton label={t`Loading...`} rows={4} />}
      {isAbsent ? <p className={styles['quiet']}>{t`No points are counted for this name yet.`}</p> : undefined}
      <Freshness of={key === undefined ? [] : [key]} state={state} />
    </Panel>
  )
}

/** Who points are counted for. */
export const DonorPanel = () => {
  const name = useSelector(useSystem().donor, selectDonorName)
  return name === undefined ? <Anonymous /> : <Named key={name} name={name} />
}
