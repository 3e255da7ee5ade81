import { t } from '@lingui/core/macro'
import { memo, useState } from 'react'
import { SMALL_WIDTH } from '../../../../folding/unit/column-sets.ts'
import { classNames } from '../../../parts/class-names.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { openRowLink } from '../../row-link.ts'
import { UnitCell } from './unit-cell.tsx'
import { UnitMenu } from './unit-menu.tsx'
import styles from './unit-row.module.css'
import { UnitNotice } from './unit-notice.tsx'
import { useUnitTable } from './unit-table.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'

const UnitLines = lazyComponent(() => import('./unit-lines.tsx').then(m => m.UnitLines), t`The work unit`)

/** One unit. Renders when the columns change; each cell reads its own value. Where columns are few, it opens to the others. */
export const UnitRow = memo(({ unit }: { unit: string }) => {
  const { columns } = useUnitTable()
  const hasMore = useBreakpoint() <= SMALL_WIDTH
  const [isOpen, setOpen] = useState(false)
  return (
    <div role="row" className={styles['row']} onClick={openRowLink}>
      {columns.map(column => (
        <div
          key={column.id}
          role="cell"
          data-column={column.id}
          className={classNames(styles['cell'], column.align === 'end' && column.id !== 'progress' && 'text-end')}
        >
          <UnitCell unit={unit} column={column} />
        </div>
      ))}
      <div role="cell" data-column="actions" className={styles['actions']}>
        {hasMore ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={t`More about unit ${unit}`}
            className={styles['more']}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
          </button>
        ) : undefined}
        <UnitMenu unit={unit} />
      </div>
      <UnitNotice unit={unit} role="cell" className={styles['notice']} />
      {hasMore && isOpen ? (
        <div role="cell" className={styles['lines']}>
          <UnitLines unit={unit} shown={columns.map(({ id }) => id)} />
        </div>
      ) : undefined}
    </div>
  )
})
UnitRow.displayName = 'UnitRow'
