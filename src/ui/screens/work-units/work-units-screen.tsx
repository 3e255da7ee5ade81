import { useSearchParams } from 'react-router-dom'
import { Tabs } from '../../parts/actions/tabs.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { Page } from '../page.tsx'
import { BenchmarkGrid } from './benchmark-grid.tsx'
import { FilterRow } from './filter-row.tsx'
import { HistoryGrid } from './history-grid.tsx'
import { HistoryNotes } from './history-notes.tsx'
import { HistoryTools } from './history-tools.tsx'
import { StatisticsTable } from './statistics-table.tsx'
import { filterOf, tabOf, withTab } from './units-params.ts'
import { useUnits } from './use-units.ts'
import styles from './work-units-screen.module.css'

type Units = ReturnType<typeof useUnits>

const History = ({ units: { all, shown, sort, onSort } }: { units: Units }) => {
  const [params] = useSearchParams()
  return (
    <section className={styles['panel']}>
      <header className={styles['head']}>
        <div>
          <h2 className={styles['title']}>Recent Work Unit History</h2>
          <p className={styles['note']}>A log of recent work WUs completed by your machines.</p>
        </div>
        <HistoryTools view={{ filter: filterOf(params), sort }} count={shown.length} total={all.length} />
      </header>
      <HistoryNotes />
      <HistoryGrid rows={shown} sort={sort} onSort={onSort} />
    </section>
  )
}

const Benchmarks = ({ units: { matching, sort, onSort } }: { units: Units }) => (
  <section className={styles['panel']}>
    <header>
      <h2 className={styles['title']}>Benchmarks</h2>
      <p className={styles['note']}>How fast each project is computed on which hardware. Choose one to see its units.</p>
    </header>
    <BenchmarkGrid rows={matching} sort={sort} onSort={onSort} />
  </section>
)

export const WorkUnitsScreen = () => {
  const units = useUnits()
  const [params, setParams] = useSearchParams()
  return (
    <Page title="Work Units">
      <section className={styles['panel']} aria-labelledby="unit-stats">
        <header className={styles['titled']}>
          <h2 id="unit-stats" className={styles['title']}>
            Work Unit Stats
          </h2>
          <Help about="Work Unit Stats">
            <p>Averages and extremes of the units below, as far as the filter lets them through.</p>
            <p>TPF is the time per frame: the time to complete 1% of a unit. PPD are points per day.</p>
            <p>
              The history is kept in this browser. Logging out removes what belongs to the account’s machines; what a
              machine that is connected directly has done stays.
            </p>
          </Help>
        </header>
        <FilterRow choices={units.choices} />
        <StatisticsTable statistics={units.statistics} count={units.matching.length} total={units.all.length} />
      </section>
      <Tabs
        label="Work units"
        selected={tabOf(params)}
        onChange={(tab) => setParams((now) => withTab(now, tab === 'benchmarks' ? tab : 'history'), { preventScrollReset: true })}
        tabs={[
          { id: 'history', label: 'History', content: <History units={units} /> },
          { id: 'benchmarks', label: 'Benchmarks', content: <Benchmarks units={units} /> },
        ]}
      />
    </Page>
  )
}
