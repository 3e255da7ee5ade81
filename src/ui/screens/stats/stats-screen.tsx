import { t } from '@lingui/core/macro'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { Page } from '../page.tsx'
import { Charts } from './charts/charts.tsx'
import { DonorPanel } from './donor-panel.tsx'
import { LogBook } from './log-book.tsx'
import styles from './stats.module.css'
import { TeamPanel } from './team-panel.tsx'

/** Points, ranks and awards, charts of points over time, and the log book. */
export function StatsScreen() {
  return (
    <Page title={t`Stats`} actions={<ButtonLink to="/stats/power">{t`Power`}</ButtonLink>}>
      <div className={styles['panels']}>
        <DonorPanel />
        <TeamPanel />
      </div>
      <Charts />
      <LogBook />
    </Page>
  )
}
