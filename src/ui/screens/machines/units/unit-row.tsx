import { memo } from 'react'
import { classNames } from '../../../parts/class-names.ts'
import { UnitCell } from './unit-cell.tsx'
import { UnitMenu } from './unit-menu.tsx'
import styles from './unit-row.module.css'
import { UnitNotice } from './unit-notice.tsx'
import { useUnitTable } from './unit-table.ts'
import { useUnitVisibility } from './use-unit.ts'

/** One unit. Renders when the columns change; each cell reads its own value. */
export const UnitRow = memo(({ unit }: { unit: string }) => {
  const { columns } = useUnitTable()
  const visibility = useUnitVisibility(unit)
  return (
    <div ref={visibility} role="row" className={styles['row']}>
      {columns.map(column => (
        <div
          key={column.id}
          role="cell"
          data-column={column.id}
          className={classNames(styles['cell'], column.align === 'end' && column.id !== 'progress' && styles['end'])}
        >
          <UnitCell unit={unit} column={column} />
        </div>
      ))}
      <div role="cell" data-column="actions" className={styles['actions']}>
        <UnitMenu unit={unit} />
      </div>
      <UnitNotice unit={unit} />
    </div>
  )
})
UnitRow.displayName = 'UnitRow'
