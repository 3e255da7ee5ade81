import { t } from '@lingui/core/macro'
import { useClientAt } from '../../../hooks/client-context.ts'
import type { GroupUnitsProps } from '../panels/group-section.tsx'
import { keysOf, selectUnitOrder } from './unit-access.ts'
import { UnitRow } from './unit-row.tsx'
import styles from './unit-list.module.css'
import { useUnitTable } from './unit-table.ts'

/** The units of one group as a table. Its headings are for screen readers; `ColumnHeader` shows the visible ones. */
export function UnitList({ group, label, idle }: GroupUnitsProps) {
  const { columns, sort, sortColumn } = useUnitTable()
  const units = keysOf(useClientAt(selectUnitOrder(group, sort, sortColumn)))
  if (units.length === 0) return <p className={styles['idle']}>{idle}</p>
  return (
    <div role="table" aria-label={label}>
      <div role="rowgroup" className="visually-hidden">
        <div role="row">
          {columns.map(column => (
            <span
              key={column.id}
              role="columnheader"
              className={column.id === 'type' ? styles['type'] : undefined}
              {...(column !== sortColumn
                ? {}
                : { 'aria-sort': sort?.isDescending === true ? 'descending' : 'ascending' })}
            >
              {column.title}
            </span>
          ))}
          <span role="columnheader">{t`Actions`}</span>
        </div>
      </div>
      <div role="rowgroup">
        {units.map(unit => (
          <UnitRow key={unit} unit={unit} />
        ))}
      </div>
    </div>
  )
}
