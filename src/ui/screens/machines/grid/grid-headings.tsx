import { t } from '@lingui/core/macro'
import { Icon } from '../../../parts/icons/icon.tsx'
import styles from './data-grid.module.css'
import { MENU_CELL, OPEN_CELL, SELECT_CELL } from './grid-events.ts'
import type { PlacedColumn } from './grid-column.ts'
import { cellClass, cellStyle, type RowColumn, type VisibleColumn } from './grid-row.tsx'

type Props<Row> = {
  readonly columns: readonly PlacedColumn<RowColumn<Row>>[]
  readonly visible: readonly VisibleColumn<Row>[]
  /** The heading that the Tab key reaches. */
  readonly active: string | undefined
  /** aria-colindex of the first column after the controls. */
  readonly offset: number
  readonly hasSelection: boolean
  readonly selected: 'none' | 'some' | 'all'
  readonly isPhone: boolean
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** Headings sort when pressed, with Shift in addition to others; they are dragged to other places and at their ends. */
export function GridHeadings<Row>({ columns, visible, active, offset, hasSelection, selected, isPhone }: Props<Row>) {
  const tabIndexOf = (id: string): 0 | -1 => (active === id && !isPhone ? 0 : -1)
  return (
    <div role="row" aria-rowindex={1} data-headings className={styles['headings']}>
      {hasSelection ? (
        <div role="columnheader" aria-colindex={1} data-column={SELECT_CELL} className={styles['control']}>
          <input
            type="checkbox"
            tabIndex={tabIndexOf(SELECT_CELL)}
            aria-label={t`Select all that are shown`}
            checked={selected === 'all'}
            ref={element => {
              if (element !== null) element.indeterminate = selected === 'some'
            }}
            readOnly
            data-action="select-all"
            className={styles['checkbox']}
          />
        </div>
      ) : undefined}
      <div
        role="columnheader"
        aria-colindex={offset - 1}
        data-column={OPEN_CELL}
        tabIndex={tabIndexOf(OPEN_CELL)}
        className={styles['control']}
      >
        <span className="visually-hidden">{t`Open`}</span>
      </div>
      {visible.map(({ column: { id, title, hint, align }, index, isPinned }) => {
        const placed = columns[index]
        const sorted = placed?.sorted ?? false
        return (
          <div
            key={id}
            role="columnheader"
            aria-colindex={offset + index}
            aria-sort={sorted === false ? 'none' : ariaSort[sorted]}
            data-column={id}
            className={cellClass(isPinned, align)}
            style={cellStyle(id)}
          >
            {isPhone ? (
              title
            ) : (
              <>
                <button
                  type="button"
                  tabIndex={tabIndexOf(id)}
                  title={hint}
                  draggable
                  data-action="sort"
                  className={styles['heading']}
                >
                  <span className="ellipsis">{title}</span>
                  {sorted === false ? undefined : (
                    <span className={styles['arrow']}>
                      <Icon name={sorted === 'asc' ? 'arrow-up' : 'arrow-down'} />
                      {placed?.sortRank}
                    </span>
                  )}
                </button>
                <span aria-hidden="true" data-action="resize" className={styles['resizer']} />
              </>
            )}
          </div>
        )
      })}
      <div
        role="columnheader"
        data-column={MENU_CELL}
        tabIndex={tabIndexOf(MENU_CELL)}
        className={[styles['control'], styles['last']].join(' ')}
      >
        <span className="visually-hidden">{t`Actions`}</span>
      </div>
    </div>
  )
}
