import { plural, t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useSelector } from '../../hooks/use-selector.ts'
import { useSearchParams } from 'react-router-dom'
import { speedText } from '../../../folding/unit/speed-text.ts'
import { isHistoryComing } from '../../../machines/units/history/history.selectors.ts'
import { Tabs } from '../../parts/actions/tabs.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { useCredits } from '../../hooks/use-credits.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import { BenchmarkGrid } from './benchmark-grid.tsx'
import { FilterRow } from './filter-row.tsx'
import { HistoryGrid } from './history-grid.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { HistoryNotes } from './history-notes.tsx'
import { HistoryTools } from './history-tools.tsx'
import { StatisticsTable } from './statistics-table.tsx'
import { filterOf, isFiltered, tabOf, withTab } from './units-params.ts'
import { useUnits } from './use-units.ts'

type Units = ReturnType<typeof useUnits>

function History({ units: { all, shown, sort, onSort } }: { units: Units }) {
  const [params] = useSearchParams()
  return (
    <Section
      title={t`Recent Work Unit History`}
      note={t`A log of recent work WUs completed by your machines.`}
      tools={<HistoryTools view={{ filter: filterOf(params), sort }} count={shown.length} total={all.length} />}
    >
      <HistoryNotes />
      <HistoryGrid rows={shown} sort={sort} onSort={onSort} />
    </Section>
  )
}

function Benchmarks({ units: { matching, sort, onSort } }: { units: Units }) {
  const leftOut = useMemo(() => matching.filter(row => row.leftOut !== undefined).length, [matching])
  return (
    <Section
      title={t`Benchmarks`}
      note={t`How fast each project runs on which hardware. Select a row to see its work units.`}
    >
      <p className="quiet type-2">
        {['TPF', speedText('all')].join(': ')}{' '}
        {leftOut === 0
          ? undefined
          : plural(leftOut, { one: '# work unit is left out.', other: '# work units are left out.' })}
      </p>
      <BenchmarkGrid rows={matching} sort={sort} onSort={onSort} />
    </Section>
  )
}

function StatsHelp() {
  return (
    <Help about={t`Work Unit Stats`}>
      <p>{t`Average, minimum and maximum of the work units that match the filter.`}</p>
      <p>{t`TPF (time per frame) is the time to complete 1% of a work unit. PPD means points per day.`}</p>
      <p>
        {t`The API is asked for credited points while this page is open: one work unit every two seconds, and only those of the donor names that your machines use. What it does not know yet is asked again, less and less often. A machine estimates points by its points per day.`}
      </p>
      <p>
        {t`The history is stored in this browser. Logging out removes the history of your account’s machines, but keeps that of directly connected machines.`}
      </p>
    </Help>
  )
}

function WorkUnits() {
  const units = useUnits()
  useCredits()
  const [params, setParams] = useSearchParams()
  const isComing = useSelector(useSystem().history, isHistoryComing)
  // The filter, the statistics and the list are made of the units: rendered once, when there are some.
  if (units.all.length === 0 && isComing) return <Skeleton label={t`Loading history…`} shape="table" />
  return (
    <>
      <Section title={t`Work Unit Stats`} help={<StatsHelp />}>
        {units.all.length === 0 && !isFiltered(params) ? undefined : <FilterRow choices={units.choices} />}
        <StatisticsTable statistics={units.statistics} count={units.matching.length} total={units.all.length} />
      </Section>
      <Tabs
        label={t`Work units`}
        selected={tabOf(params)}
        onChange={tab =>
          setParams(now => withTab(now, tab === 'benchmarks' ? tab : 'history'), { preventScrollReset: true })
        }
        tabs={[
          { id: 'history', label: t`History`, content: <History units={units} /> },
          { id: 'benchmarks', label: t`Benchmarks`, content: <Benchmarks units={units} /> },
        ]}
      />
    </>
  )
}

/** Units that ended, their statistics, and how fast projects run on which hardware. */
export function WorkUnitsScreen() {
  return (
    <Page title={t`Work Units`}>
      <WhenLoaded part="history" what={t`This screen`} shape="table">
        <WorkUnits />
      </WhenLoaded>
    </Page>
  )
}
