import { t } from '@lingui/core/macro'
import { Page } from '../page.tsx'
import { Charts } from './charts/charts.tsx'
import { DonorPanel } from './donor-panel.tsx'
import styles from './stats.module.css'
import { TeamPanel } from './team-panel.tsx'

/** Points, ranks and awards, and charts of points over time. */
export const StatsScreen = () => (
  <Page title={t`Stats`}>
    <div className={styles['panels']}>
      <DonorPanel />
      <TeamPanel />
    </div>
    <Charts />
  </Page>
)
