import { memo } from 'react'
import { classNames } from '../../../parts/class-names.ts'
import { UnitCell } from './unit-cell.tsx'
import { UnitMenu } from './unit-menu.tsx'
import styles from './unit-row.module.css'
import { UnitNotice } from './unit-why.tsx'
import { useUnitVisibility } from './use-unit-place.ts'
import { useUnitTable } from './unit-table.ts'

/** One unit. It renders when the columns change; what is in them is each cell's own matter. */
export const UnitRow = memo(({ unit }: { unit: string }) => {
  const { columns } = useUnitTable()
  const place = useUnitVisibility(unit)
  return (
    <div ref={place} role="row" className={styles['row']}>
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
