import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useRef, type CSSProperties } from 'react'
import type { FleetSnapshot } from '../../../machines/connection/fleet/fleet.machine.ts'
import { selectTotals } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { BulkArea } from './bulk/bulk-area.tsx'
import { ShownIds } from './bulk/shown-ids.ts'
import { FirstScreen } from './fleet/first-screen.tsx'
import { FleetActions } from './fleet/fleet-actions.tsx'
import { FleetList } from './fleet/fleet-list.tsx'
import { FleetSummary } from './fleet/fleet-summary.tsx'
import { FleetToolbar } from './fleet/fleet-toolbar.tsx'
import { PpdSparkline } from './fleet/ppd-sparkline.tsx'
import { useShownMachines } from './fleet/use-shown-machines.ts'
import styles from './machines-screen.module.css'
import { ColumnHeader } from './units/column-header.tsx'
import { columnsMinWidth, columnTracks, noticeStart } from './units/column-grid.ts'
import { UnitTableProvider, useUnitTableModel } from './units/unit-table.ts'

type Sizes = CSSProperties & Readonly<Record<'--columns' | '--columns-min-width' | '--notice-start', string>>

const NoMatch = ({ onReset }: { onReset: () => void }) => (
  <EmptyState
    icon="search"
    title={t`No machines match`}
    actions={
      <Button kind="primary" onPress={onReset}>
        {t`Show all machines`}
      </Button>
    }
  />
)

/** With more running units than this, progress bars do not move. */
const MAX_ANIMATED = 12

const hasManyRunning = (snapshot: FleetSnapshot): boolean => {
  const { running, finishing } = selectTotals(snapshot)
  return running + finishing > MAX_ANIMATED
}

/** All machines below one sticky header, whose columns their tables share. */
const Fleet = ({ ids }: { ids: readonly string[] }) => {
  const { table, headings } = useUnitTableModel()
  const header = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const isStatic = useSelector(useSystem().fleet, hasManyRunning)
  const sizes: Sizes = {
    '--columns': columnTracks(table.columns),
    '--columns-min-width': columnsMinWidth(table.columns),
    '--notice-start': noticeStart(table.columns),
  }
  return (
    <UnitTableProvider value={table}>
      <div
        className={styles['sheet']}
        style={sizes}
        {...(isStatic ? { 'data-static-bars': '' } : {})}
        {...(table.columns.at(-1)?.id === 'ppd' ? { 'data-ppd-last': '' } : {})}
      >
        <ColumnHeader headings={headings} scroller={header} onScroll={left => box.current?.scrollTo({ left })} />
        <div
          ref={box}
          className={styles['box']}
          onScroll={({ currentTarget }) => header.current?.scrollTo({ left: currentTarget.scrollLeft })}
        >
          <FleetList ids={ids} />
        </div>
      </div>
    </UnitTableProvider>
  )
}

export const MachinesScreen = () => {
  const { ids, isFiltered, isEmpty, resetFilter } = useShownMachines()
  if (isEmpty)
    return (
      <Page title={t`Machines`} isTitleHidden>
        <FirstScreen />
      </Page>
    )
  return (
    <Page title={t`Machines`} isTitleHidden>
      <div className={styles['top']}>
        <FleetSummary />
        <PpdSparkline />
        <div className={styles['tools']}>
          <FleetToolbar />
          <FleetActions ids={isFiltered ? ids : undefined} />
        </div>
      </div>
      {ids.length > 0 ? (
        <ShownIds value={ids}>
          <Fleet ids={ids} />
        </ShownIds>
      ) : undefined}
      {isFiltered && ids.length === 0 ? <NoMatch onReset={resetFilter} /> : undefined}
      <BulkArea ids={ids} isFiltered={isFiltered} />
    </Page>
  )
}
