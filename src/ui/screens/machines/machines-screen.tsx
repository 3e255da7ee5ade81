import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useRef, type CSSProperties } from 'react'
import type { FleetSnapshot } from '../../../machines/connection/fleet/fleet.machine.ts'
import { selectTotals } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { FirstScreen } from './fleet/first-screen.tsx'
import { FleetActions } from './fleet/fleet-actions.tsx'
import { FleetList } from './fleet/fleet-list.tsx'
import { FleetSummary } from './fleet/fleet-summary.tsx'
import { FleetToolbar } from './fleet/fleet-toolbar.tsx'
import { PpdSpark } from './fleet/ppd-spark.tsx'
import { useShown } from './fleet/use-shown.ts'
import styles from './machines-screen.module.css'
import { ColumnHeader } from './units/column-header.tsx'
import { columnsMinimum, columnTracks, whyStart } from './units/column-grid.ts'
import { UnitTableProvider, useUnitTableModel } from './units/unit-table.ts'

type Sizes = CSSProperties & Readonly<Record<'--columns' | '--columns-minimum' | '--why-start', string>>

const NoMatch = ({ onReset }: { onReset: () => void }) => (
  <EmptyState
    icon="search"
    title={t`No machine has such a name`}
    actions={
      <Button kind="primary" onPress={onReset}>
        {t`Show all machines`}
      </Button>
    }
  />
)

// Beyond this many moving bars a screen is no longer calm.
const MOST_MOVING = 12

const hasManyMoving = (snapshot: FleetSnapshot): boolean => {
  const { running, finishing } = selectTotals(snapshot)
  return running + finishing > MOST_MOVING
}

/** One sheet for all machines: the headings stay in sight, the tables below share their columns. */
const Fleet = ({ ids }: { ids: readonly string[] }) => {
  const { table, headings } = useUnitTableModel()
  const header = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const isCalm = useSelector(useSystem().fleet, hasManyMoving)
  const sizes: Sizes = {
    '--columns': columnTracks(table.columns),
    '--columns-minimum': columnsMinimum(table.columns),
    '--why-start': whyStart(table.columns),
  }
  return (
    <UnitTableProvider value={table}>
      <div
        className={styles['sheet']}
        style={sizes}
        {...(isCalm ? { 'data-calm': '' } : {})}
        {...(table.columns.at(-1)?.id === 'ppd' ? { 'data-ppd-last': '' } : {})}
      >
        <ColumnHeader headings={headings} scroller={header} onMove={left => box.current?.scrollTo({ left })} />
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
  const { ids, isFiltered, isNobodyThere, resetFilter } = useShown()
  if (isNobodyThere)
    return (
      <Page title={t`Machines`} isTitleHidden>
        <FirstScreen />
      </Page>
    )
  return (
    <Page title={t`Machines`} isTitleHidden>
      <div className={styles['top']}>
        <FleetSummary />
        <PpdSpark />
        <div className={styles['tools']}>
          <FleetToolbar />
          <FleetActions ids={isFiltered ? ids : undefined} />
        </div>
      </div>
      {ids.length > 0 ? <Fleet ids={ids} /> : undefined}
      {isFiltered && ids.length === 0 ? <NoMatch onReset={resetFilter} /> : undefined}
    </Page>
  )
}
