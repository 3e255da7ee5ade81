import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useSearchParams } from 'react-router-dom'
import { NARROW_WIDTH } from '../../../folding/unit/column-sets.ts'
import { isAccountLoading } from '../../../machines/account/account/account.selectors.ts'
import { selectTotals } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { Page } from '../page.tsx'
import { BulkArea } from './selection/bulk-area.tsx'
import { ShownIds } from './selection/shown-ids.ts'
import { chartOf } from './charts/chart-params.ts'
import { FleetList } from './panels/fleet-list.tsx'
import { FleetTop } from './top/fleet-top.tsx'
import { useRememberedView } from './top/views-menu.tsx'
import { useShownClients } from './use-shown-clients.ts'
import { useFleetLayout } from './top/view-menu.tsx'
import styles from './machines-screen.module.css'
import { FleetGrid, FleetMap, UnitGrid } from './lazy-layouts.ts'
import { SingleMachine } from '../machine/overview/single-machine.tsx'
import { UnitSheet } from './units/unit-sheet.tsx'
import { useBreakpoint } from '../../hooks/use-breakpoint.ts'

const FirstScreen = lazyComponent(() => import('./first-screen.tsx').then(m => m.FirstScreen), t`The first screen`)

const FleetCharts = lazyComponent(() => import('./charts/fleet-charts.tsx').then(m => m.FleetCharts), t`The chart`)

const ActiveQuery = lazyComponent(() => import('./top/find.tsx').then(m => m.ActiveQuery), t`The query`)

function NoMatch({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      icon="search"
      title={t`No machines match`}
      actions={
        <Button
          kind="primary"
          onPress={() => {
            onReset()
            focusContentSoon()
          }}
        >
          {t`Show all machines`}
        </Button>
      }
    />
  )
}

function Fleet({ ids }: { ids: readonly string[] }) {
  return (
    <UnitSheet>
      <FleetList ids={ids} />
    </UnitSheet>
  )
}

function NoClients() {
  const { account, fleet } = useSystem()
  const isAccountComing = useSelector(account, isAccountLoading)
  const isLooking = useSelector(fleet, snapshot => selectTotals(snapshot).loading > 0)
  return isAccountComing || isLooking ? <Skeleton label={t`Looking for machines…`} shape="cards" /> : <FirstScreen />
}

const shownAs = { single: SingleMachine, panels: Fleet, grid: FleetGrid, units: UnitGrid, map: FleetMap } as const

export function MachinesScreen() {
  useRememberedView()
  const { ids, filter, isFiltered, isEmpty, setFilter } = useShownClients()
  const [params] = useSearchParams()
  const chart = chartOf(params)
  const layout = useFleetLayout()
  const isNarrow = useBreakpoint() <= NARROW_WIDTH
  const Clients = shownAs[layout]
  const scrolls = (layout === 'grid' || layout === 'units') && !isNarrow && ids.length > 0
  if (isEmpty)
    return (
      <Page title={t`Machines`} isTitleHidden>
        <NoClients />
      </Page>
    )
  return (
    <Page title={t`Machines`} isTitleHidden fillsHeight={scrolls && chart === undefined}>
      {layout === 'single' && !isFiltered && chart === undefined ? undefined : (
        <FleetTop ids={isFiltered ? ids : undefined}>
          {isFiltered ? <ActiveQuery query={filter} onChange={setFilter} ids={ids} /> : undefined}
        </FleetTop>
      )}
      {chart === undefined ? undefined : (
        <div className={styles['chart']}>
          <FleetCharts chart={chart} ids={ids} />
        </div>
      )}
      {ids.length > 0 ? (
        <ShownIds value={ids}>
          {scrolls && chart !== undefined ? (
            <div className={styles['below']}>
              <Clients ids={ids} />
            </div>
          ) : (
            <Clients ids={ids} />
          )}
        </ShownIds>
      ) : undefined}
      {isFiltered && ids.length === 0 ? <NoMatch onReset={() => setFilter('')} /> : undefined}
      <BulkArea ids={ids} isFiltered={isFiltered} />
    </Page>
  )
}
