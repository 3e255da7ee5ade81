import { t } from '@lingui/core/macro'
import { memo, type ReactNode } from 'react'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import styles from './data-grid.module.css'
import { MENU_CELL, OPEN_CELL, SELECT_CELL } from './grid-events.ts'
import type { GridColumn } from './grid-column.ts'

/** A column with what its cells show. `tabIndex` is for the link or button in the cell, if it has one. */
export type RowColumn<Row> = GridColumn & {
  readonly cell: (row: Row, tabIndex: 0 | -1) => ReactNode
  /** Whether each cell has a link or a button, which gets the focus in place of the cell. */
  readonly hasControl?: boolean
}

/** A column in view. `index`: its position among all shown ones, from 0. */
export type VisibleColumn<Row> = {
  readonly column: RowColumn<Row>
  readonly index: number
  readonly isPinned: boolean
}

type Props<Row> = {
  readonly rowKey: string
  readonly row: Row
  readonly name: string
  /** Position among all rows and open details, from 0. */
  readonly index: number
  /** CSS pixels from the start of the list. */
  readonly offset: number
  readonly visible: readonly VisibleColumn<Row>[]
  /** aria-colindex of the first column after the controls. */
  readonly cellOffset: number
  /** The cell of this row that the Tab key reaches. */
  readonly activeColumn: string | undefined
  readonly isOpen: boolean
  /** Undefined when rows cannot be selected. */
  readonly isSelected: boolean | undefined
}

export function cellClass(isPinned: boolean, align: 'start' | 'end'): string {
  return classNames(
    styles['cell'],
    isPinned ? styles['pinned'] : 'absolute inset-block',
    align === 'end' && styles['end'],
  )
}

export function cellStyle(id: string) {
  return { insetInlineStart: `var(--x-${id})`, inlineSize: `var(--w-${id})` }
}

/** Events of all rows are handled by the grid, see grid-events.ts: what happens is in `data-action`. */
function Row<Row>({
  rowKey,
  row,
  name,
  index,
  offset,
  visible,
  cellOffset,
  activeColumn,
  isOpen,
  isSelected,
}: Props<Row>) {
  const tabIndexOf = (id: string): 0 | -1 => (activeColumn === id ? 0 : -1)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-key={rowKey}
      {...(isSelected === undefined ? {} : { 'aria-selected': isSelected })}
      className={styles['row']}
      style={{ transform: `translateY(${offset}px)` }}
    >
      {isSelected === undefined ? undefined : (
        <div role="gridcell" aria-colindex={1} data-column={SELECT_CELL} className={styles['control']}>
          <input
            type="checkbox"
            tabIndex={tabIndexOf(SELECT_CELL)}
            aria-label={t`Select ${name}`}
            checked={isSelected}
            readOnly
            data-action="select"
            className={styles['checkbox']}
          />
        </div>
      )}
      <div role="gridcell" aria-colindex={cellOffset - 1} data-column={OPEN_CELL} className={styles['control']}>
        <button
          type="button"
          tabIndex={tabIndexOf(OPEN_CELL)}
          aria-expanded={isOpen}
          aria-label={t`Details of ${name}`}
          data-action="open"
          className={styles['button']}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </button>
      </div>
      {visible.map(({ column, index: at, isPinned }) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={cellOffset + at}
          data-column={column.id}
          data-title={column.title}
          {...(column.hasControl === true ? {} : { tabIndex: tabIndexOf(column.id) })}
          className={cellClass(isPinned, column.align)}
          style={cellStyle(column.id)}
        >
          {column.cell(row, tabIndexOf(column.id))}
        </div>
      ))}
      <div role="gridcell" data-column={MENU_CELL} className={classNames(styles['control'], styles['last'])}>
        <button
          type="button"
          tabIndex={tabIndexOf(MENU_CELL)}
          aria-haspopup="menu"
          aria-label={t`Actions for ${name}`}
          data-action="menu"
          className={styles['button']}
        >
          <Icon name="more" />
        </button>
      </div>
    </div>
  )
}

// A row that stays in view does not render again while others scroll in and out, or change.
export const GridRow = memo(Row) as typeof Row
